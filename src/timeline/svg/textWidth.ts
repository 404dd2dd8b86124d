/** Weight of a text. */
export type Weight = 'regular' | 'strong';

/**
 * Widths in em of the characters of the widest fonts that `font-family` may find, when bold (Verdana, DejaVu Sans), rounded up: narrow ones,
 * those a little wider, small letters and digits, the widest, all others of Latin and Greek.
 */
const WIDTHS: readonly (readonly [characters: RegExp, width: number])[] = [
  [/^[ ijl.,:;'|!]$/, 0.41],
  [/^[Ifrt()[\]/\\"-]$/, 0.56],
  [/^[a-z0-9?_*^$]$/, 0.72],
  [/^[mwMW@%\u2026]$/, 1.18],
  [/^[\u0021-\u03ff]$/, 0.86],
];

/** Width of characters of other scripts, and of pictograms. */
const [FOREIGN, EMOJI] = [1.2, 1.35];

/** Width of regular text as a share of the width of bold text. */
const REGULAR = 0.92;

/** Estimated greatest width of a text in px: nothing can be measured where the picture is made. */
export function textWidth(text: string, fontSize: number, weight: Weight = 'strong'): number {
  let em = 0;
  for (const character of text) em += widthOf(character);
  return em * fontSize * (weight === 'strong' ? 1 : REGULAR);
}

function widthOf(character: string): number {
  for (const [characters, width] of WIDTHS) if (characters.test(character)) return width;
  return (character.codePointAt(0) ?? 0) > 0xffff ? EMOJI : FOREIGN;
}

/** `text`, cut with an ellipsis to what fits in `width` px; `keep` says which end stays. */
export function fitText(text: string, width: number, fontSize: number, weight: Weight = 'strong', keep: 'start' | 'end' = 'start'): string {
  if (textWidth(text, fontSize, weight) <= width) return text;
  const characters = Array.from(text);
  if (keep === 'end') characters.reverse();
  const fitting: string[] = [];
  let room = width - textWidth('…', fontSize, weight);
  for (const character of characters) {
    room -= textWidth(character, fontSize, weight);
    if (room < 0) break;
    fitting.push(character);
  }
  if (fitting.length === 0) return '';
  return keep === 'end' ? `…${fitting.reverse().join('').trimStart()}` : `${fitting.join('').trimEnd()}…`;
}
