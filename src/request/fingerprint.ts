/**
 * A short name for a text or bytes, 16 hexadecimal digits: equal texts have equal names, and no text has no name (`''`). Keys use it in
 * place of secrets, such as credentials. It is safe against accidents, not against somebody who searches for two texts of one name.
 */
export function fingerprint(content: string | Uint8Array): string {
  const { length } = content;
  if (length === 0) return '';
  const codeAt = typeof content === 'string' ? (i: number) => content.charCodeAt(i) : (i: number) => content[i] ?? 0;
  // Two lanes of multiply and shift (as in MurmurHash3), mixed with each other at the end.
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < length; i++) {
    const code = codeAt(i);
    a = Math.imul(a ^ code, 0x85ebca6b);
    b = Math.imul(b ^ code, 0xc2b2ae35);
    a ^= a >>> 15;
    b ^= b >>> 13;
  }
  const mixedA = mix(a ^ Math.imul(b, 0x27d4eb2f));
  const mixedB = mix(b ^ Math.imul(a, 0x165667b1));
  return hex(mixedA) + hex(mixedB);
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}
