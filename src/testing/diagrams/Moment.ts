/** Something that an observable did, or is expected to do, at a moment in ms. */
export type Moment =
  | { readonly frame: number; readonly kind: 'next'; readonly value: unknown }
  | { readonly frame: number; readonly kind: 'error'; readonly error: unknown }
  | { readonly frame: number; readonly kind: 'complete' };
