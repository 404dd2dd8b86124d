import { describe, expect, it } from 'vitest';
import { isMissing } from '../../src/files/isMissing.js';

describe('isMissing', () => {
  it.each(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'UNDECLARED_DEPENDENCY'])('knows the code %s', (code) => {
    expect(isMissing(Object.assign(new Error('gone'), { code }))).toBe(true);
  });

  it("knows the words of Yarn's Plug'n'Play", () => {
    expect(isMissing(new Error("coldfetch tried to access redis (a peer dependency) but it isn't provided by your application"))).toBe(
      true,
    );
  });

  it('takes no other error', () => {
    expect(isMissing(new SyntaxError('Unexpected token'))).toBe(false);
    expect(isMissing(undefined)).toBe(false);
  });
});
