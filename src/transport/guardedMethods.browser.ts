/*
 * Takes the place of `guardedMethods` where a bundler builds for browsers: a page reads so few answers that a copy of each costs less than the
 * code that saves it.
 */
import type * as guardedMethodsOf from './guardedMethods.js';

export const isPristine: typeof guardedMethodsOf.isPristine = () => false;

export const guardedMethods: typeof guardedMethodsOf.guardedMethods = () => Response.prototype;
