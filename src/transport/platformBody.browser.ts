/*
 * Counterpart of `platformBody` that bundlers for browsers take in its place: a browser's `fetch` gets bodies as they are, and none of
 * `form-data`, whose package gives the platform's `FormData` there.
 */
import { UsageError } from '../request/errors/UsageError.js';
import type * as platformBody from './platformBody.js';

const nothing = (): undefined => undefined;

/** A page cannot set a `content-length`. */
export const requireLength: typeof platformBody.requireLength = nothing;

export const takeOut: typeof platformBody.takeOut = nothing;
export const largeContent: typeof platformBody.largeContent = nothing;
export const missingType: typeof platformBody.missingType = nothing;
export const mediaTypeOf: typeof platformBody.mediaTypeOf = nothing;

export const withLength: typeof platformBody.withLength = (body) => body;

export const sendableForm: typeof platformBody.sendableForm = (form) => {
  if (form instanceof FormData) return form;
  throw new UsageError('The form is of another class than the FormData of this page; give one of that');
};

export const formContent: typeof platformBody.formContent = () => {
  throw new UsageError('A browser sends no form of the package form-data; give a FormData');
};
