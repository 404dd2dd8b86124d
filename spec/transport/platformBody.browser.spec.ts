import { describe, expect, it } from 'vitest';
import {
  formContent,
  largeContent,
  mediaTypeOf,
  missingType,
  sendableForm,
  takeOut,
  withLength,
} from '../../src/transport/platformBody.browser.js';

describe('platformBody in a browser', () => {
  it('leaves bodies to fetch as they are', () => {
    const body = 'a'.repeat(100_000);
    expect([largeContent(body, body), missingType(body), mediaTypeOf(body)]).toEqual([undefined, undefined, undefined]);
    expect(takeOut(new Request('https://a.example/', { method: 'POST', body }))).toBeUndefined();
  });

  it('leaves a stream of known length as it is', () => {
    const body = { stream: new ReadableStream<Uint8Array>(), length: 1 };
    expect(withLength(body)).toBe(body);
  });

  it('leaves a form of the page as it is, and refuses one of another class', () => {
    const form = new FormData();
    expect(sendableForm(form)).toBe(form);
    expect(() => sendableForm(new Blob([]) as unknown as FormData)).toThrow('give one of that');
  });

  it('refuses a form of the package form-data, and says what to give', () => {
    const form = { getHeaders: () => ({}), on: () => form, pause: () => form, resume: () => form };
    expect(() => formContent(form)).toThrow('A browser sends no form of the package form-data; give a FormData');
  });
});
