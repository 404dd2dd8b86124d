/*
 * Counterpart of `guardedMethods` that bundlers for browsers take in its place: a page reads so few responses that a copy of each costs
 * less than the code that saves it.
 */
import type * as guardedMethodsOf from './guardedMethods.js';

export const isPristine: typeof guardedMethodsOf.isPristine = () => false;

export const guardedMethods: typeof guardedMethodsOf.guardedMethods = () => Response.prototype;
