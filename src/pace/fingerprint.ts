/**
 * A short hash that tells texts apart without keeping them (cyrb53): for what must not stay in memory. Not for what somebody may want to
 * forge.
 */
export function fingerprint(text: string): string {
  if (text === '') return '';
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return ((b >>> 0) * 2 ** 21 + (a >>> 11)).toString(36);
}
