import { element, escapeText } from './element.js';

/** Size of the texts in a row, in px. */
export const FONT = 14;

/** A text around a point; `style` is its class. */
export function drawText(text: string, x: number, y: number, style: string, size = FONT): string {
  return element('text', { class: style, x, y, 'text-anchor': 'middle', 'font-size': size }, escapeText(text));
}
