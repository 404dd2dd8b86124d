import { describe, expect, it } from 'vitest';
import { RequestSummary } from '../../src/request/RequestSummary.js';
import {
  formContent,
  largeContent,
  mediaTypeOf,
  missingType,
  requireLength,
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

  it('lets a content-length pass, which a page cannot set', () => {
    const headers = new Headers({ 'content-length': '5' });
    const request = new RequestSummary('POST', 'https://a.example/', headers);
    expect(() => requireLength(1, { url: request.url, method: 'POST', headers, body: true, count: 0 }, request)).not.toThrow();
  });

  it('refuses a form of the package form-data, and says what to give', () => {
    const form = { getHeaders: () => ({}), on: () => form, pause: () => form, resume: () => form };
    expect(() => formContent(form)).toThrow('A browser sends no form of the package form-data; give a FormData');
  });
});
