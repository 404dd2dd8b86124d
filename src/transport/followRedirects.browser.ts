/*
 * Counterpart of `followRedirects` that bundlers for browsers take in its place: browsers hide redirects from scripts, so `fetch` follows
 * them.
 */
import { identity } from 'rxjs';
import type * as followRedirects from './followRedirects.js';
import { refusesRedirects } from './redirect.js';

export const followsRedirects: typeof followRedirects.followsRedirects = () => false;

export const redirectMode: typeof followRedirects.redirectMode = (redirect, _followed, body) =>
  refusesRedirects(redirect, body) ? 'manual' : redirect;

export const nextHop: typeof followRedirects.nextHop = () => undefined;

export const markRedirected: typeof followRedirects.markRedirected = identity;
