import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../src/request/fingerprint.js';

describe('fingerprint', () => {
  it('is 16 hexadecimal digits, the same for the same text', () => {
    expect(fingerprint('Bearer abc')).toMatch(/^[\da-f]{16}$/);
    expect(fingerprint('Bearer abc')).toBe(fingerprint(['Bearer', 'abc'].join(' ')));
  });

  it('is nothing for nothing', () => {
    expect(fingerprint('')).toBe('');
  });

  it('tells 100,000 texts apart that differ little', () => {
    const names = new Set(Array.from({ length: 100_000 }, (_, index) => fingerprint(`Bearer token-${index}`)));
    expect(names.size).toBe(100_000);
  });

  it('tells texts apart by the order of their characters, and beyond ASCII', () => {
    const texts = ['ab', 'ba', 'a', 'aa', 'é', 'e', '🙂', '🙃', ' ', '\n'];
    expect(new Set(texts.map(fingerprint)).size).toBe(texts.length);
  });

  it('takes bytes as well, every value of them', () => {
    const bytes = Array.from({ length: 256 }, (_, value) => Uint8Array.of(0, value));
    expect(new Set(bytes.map(fingerprint)).size).toBe(256);
    expect(fingerprint(Uint8Array.of(1, 2))).toBe(fingerprint(Uint8Array.of(1, 2)));
    expect(fingerprint(new Uint8Array())).toBe('');
  });
});
