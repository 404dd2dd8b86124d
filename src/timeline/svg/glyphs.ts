import { element } from './element.js';
import type { AttemptKind } from './kinds.js';

/** The outline of each kind's glyph, and the sign inside; both in a square of 16 px around 0. */
const SHAPES: Readonly<Record<AttemptKind, { readonly outline: string; readonly sign: string }>> = {
  // A disc with a tick.
  answered: { outline: 'M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0z', sign: 'M-3.6 0.4l2.6 2.6l4.8 -5.4' },
  // A diamond with a pause sign.
  throttled: { outline: 'M0 -9l9 9l-9 9l-9 -9z', sign: 'M-2 -3v6M2 -3v6' },
  // A square with a cross.
  broken: { outline: 'M-7 -7h14v14h-14z', sign: 'M-3 -3l6 6M3 -3l-6 6' },
  // An octagon with a bar, as on a stop sign.
  refused: { outline: 'M-3.3 -8h6.6l4.7 4.7v6.6l-4.7 4.7h-6.6l-4.7 -4.7v-6.6z', sign: 'M-4 0h8' },
  // A disc with hands.
  silent: { outline: 'M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0z', sign: 'M0 -4.5v4.5l3 2' },
  // A triangle with an exclamation mark.
  lost: { outline: 'M0 -8.5l8.5 15.5h-17z', sign: 'M0 -3v4.5M0 4v0.4' },
  // An arrow with three dots.
  flying: { outline: 'M-8 -7h9l7 7l-7 7h-9z', sign: 'M-4.6 0h0.1M-1 0h0.1M2.6 0h0.1' },
  // A small disc.
  cut: { outline: 'M-6 0a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z', sign: '' },
};

/** The half of a glyph's width, in px. */
export const GLYPH = 9;

/** A kind's glyph around a point. */
export function glyph(kind: AttemptKind, x: number, y: number, scale = 1): string {
  const { outline, sign } = SHAPES[kind];
  const transform = `translate(${round(x)} ${round(y)})${scale === 1 ? '' : ` scale(${round(scale)})`}`;
  const parts = element('path', { class: `glyph ${kind}`, d: outline }) + (sign === '' ? '' : element('path', { class: 'sign', d: sign }));
  return element('g', { transform }, parts);
}

function round(value: number): string {
  return String(Number(value.toFixed(2)));
}
