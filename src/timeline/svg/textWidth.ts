/** The mean width of a bold character in the widest of the fonts that `font-family` may find (DejaVu Sans, Verdana), in em. */
const WIDEST = 0.68;

/** About how wide a text is at most, in px: nothing can be measured where the picture is made. */
export function textWidth(text: string, fontSize: number): number {
  return text.length * fontSize * WIDEST;
}

/** `text`, cut with an ellipsis to what fits in `width` px; `keep` says which end stays. */
export function fitText(text: string, width: number, fontSize: number, keep: 'start' | 'end' = 'start'): string {
  if (textWidth(text, fontSize) <= width) return text;
  const room = Math.floor(width / (fontSize * WIDEST)) - 1;
  if (room <= 0) return '';
  return keep === 'start' ? `${text.slice(0, room).trimEnd()}…` : `…${text.slice(-room).trimStart()}`;
}
