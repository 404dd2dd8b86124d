/** Value of an attribute; `undefined` leaves the attribute out, numbers are rounded to 1/100. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An SVG element as text. `content` is markup: foreign text goes through {@link escapeText}. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const list = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${typeof value === 'number' ? String(Number(value.toFixed(2))) : escapeText(value)}"`],
  );
  return `<${name}${list.join('')}${content === '' ? '/>' : `>${content}</${name}>`}`;
}

/** A text as it may stand in an element or an attribute; characters that XML 1.0 cannot hold are left out. */
export function escapeText(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Tooltip of an element. */
export function tooltip(text: string): string {
  return element('title', {}, escapeText(text));
}

/** Size of the texts in a row, in px. */
export const FONT = 14;

/** A text around a point; `style` is its class. */
export function drawText(text: string, x: number, y: number, style: string, size = FONT): string {
  return element('text', { class: style, x, y, 'text-anchor': 'middle', 'font-size': size }, escapeText(text));
}
