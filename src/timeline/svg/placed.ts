/** A piece of a row on the axis. */
export interface Placed<T> {
  readonly part: T;
  readonly x: number;
  readonly width: number;
}

/** Narrower shapes cannot be told apart, in px. */
export const NARROW = 2;

/** Shapes without those that are too narrow to be told apart: one is kept for each pixel and kind, the last shape always. */
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
