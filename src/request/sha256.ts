/** First 32 bits of the fraction of a number. */
const fractionOf = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) >>> 0;

const PRIMES = /* @__PURE__ */ firstPrimes(64);
const INITIAL = /* @__PURE__ */ PRIMES.slice(0, 8).map((prime) => fractionOf(Math.sqrt(prime)));
const ROUNDS = /* @__PURE__ */ PRIMES.map((prime) => fractionOf(Math.cbrt(prime)));

/**
 * SHA-256 of a text in hexadecimal, for keys that must keep callers apart even where somebody searches for two texts of one hash. It is
 * synchronous, unlike the platform's: virtual time waits for no promise.
 *
 * Source: FIPS 180-4.
 */
export function sha256(text: string): string {
  const state = [...INITIAL];
  const words = new Array<number>(64).fill(0);
  const blocks = padded(new TextEncoder().encode(text));
  for (let start = 0; start < blocks.byteLength; start += 64) compress(state, words, blocks, start);
  return state.map((word) => word.toString(16).padStart(8, '0')).join('');
}

/** Message with its padding: a 1 bit, zeros, and the length in bits. */
function padded(message: Uint8Array): DataView {
  const view = new DataView(new ArrayBuffer((((message.length + 8) >> 6) + 1) << 6));
  new Uint8Array(view.buffer).set(message);
  view.setUint8(message.length, 0x80);
  view.setUint32(view.byteLength - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(view.byteLength - 4, message.length << 3);
  return view;
}

function compress(state: number[], words: number[], blocks: DataView, start: number): void {
  for (let t = 0; t < 64; t++) words[t] = t < 16 ? blocks.getUint32(start + t * 4) : scheduled(words, t);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t++) {
    const first = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) + at(ROUNDS, t) + at(words, t);
    const second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = (at(state, index) + word) >>> 0));
}

function scheduled(words: readonly number[], t: number): number {
  const [early, late] = [at(words, t - 15), at(words, t - 2)];
  const small = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
  const large = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
  return (large + at(words, t - 7) + small + at(words, t - 16)) | 0;
}

function rotated(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function at(words: readonly number[], index: number): number {
  return words[index] ?? 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
