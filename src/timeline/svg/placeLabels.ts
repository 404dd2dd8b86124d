import { textWidth, type Weight } from './textWidth.js';

/** A text that wants to stand in the middle of a span. */
export interface Label {
  /** The same text in longer and shorter wordings: the first that fits is taken. */
  readonly texts: readonly string[];
  readonly x: number;
  /** Greatest width; `Infinity`: as wide as there is room. */
  readonly room: number;
}

/** A text in its place; `x` is its middle. */
export interface PlacedLabel {
  readonly text: string;
  readonly x: number;
}

/**
 * Puts texts on one line, left to right, none over another and none over the ends. A text without room in any of its wordings is left out
 * (its shape stays, and its tooltip).
 */
export function placeLabels(labels: readonly Label[], width: number, fontSize: number, weight: Weight): PlacedLabel[] {
  const gap = fontSize / 2;
  const sorted = [...labels].sort((a, b) => a.x - b.x);
  const placed: PlacedLabel[] = [];
  let free = 0;
  for (const { texts, x, room } of sorted) {
    for (const text of texts) {
      const size = textWidth(text, fontSize, weight);
      if (size > room || size > width) continue;
      const wanted = Math.min(Math.max(x, size / 2), width - size / 2);
      const middle = Math.max(wanted, free + size / 2);
      // A text a little beside its shape still reads as belonging to it.
      if (middle > wanted + 1.75 * fontSize || middle + size / 2 > width) continue;
      placed.push({ text, x: middle });
      free = middle + size / 2 + gap;
      break;
    }
  }
  return placed;
}

/** A piece of a row on the axis. */
export interface Placed<T> {
  readonly part: T;
  readonly x: number;
  readonly width: number;
}

/** Narrower shapes cannot be told apart, in px. */
export const NARROW = 2;

/** Shapes without those that are too narrow to be told apart: one is kept for each pixel and kind, and always the last shape. */
export function thinOut<T>(shapes: readonly Placed<T>[], kindOf: (shape: Placed<T>) => string): Placed<T>[] {
  const drawn = new Set<string>();
  return shapes.filter((shape, i) => {
    if (shape.width >= NARROW || i === shapes.length - 1) return true;
    const place = `${kindOf(shape)} ${Math.round(shape.x)}`;
    const isFirst = !drawn.has(place);
    drawn.add(place);
    return isFirst;
  });
}
