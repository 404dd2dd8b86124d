import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { platformResponse } from '../../../src/testing/scripted/platformResponse.js';

describe('platformResponse', () => {
  it('is that of the platform', () => {
    expect(platformResponse()).toBe(Response);
  });

  it('says what to do where there is none', () => {
    vi.stubGlobal('Response', undefined);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(platformResponse).toThrow('begin the spec with /** @jest-environment node */');
  });
});
