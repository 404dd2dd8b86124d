import '@angular/compiler';
import { HttpHeaders } from '@angular/common/http';
import { AxiosHeaders } from 'axios';
import { describe, expect, it } from 'vitest';
import { fieldNames } from '../../src/headers/fieldNames.js';
import type { HeadersLike } from '../../src/headers/HeadersLike.js';

describe('fieldNames', () => {
  it.each<[string, object]>([
    ['fetch', new Headers({ 'Retry-After-Short': '3' })],
    ['Angular', new HttpHeaders({ 'Retry-After-Short': '3' })],
    ['axios', AxiosHeaders.from({ 'Retry-After-Short': '3' })],
  ])('lists those of %s', (_, headers) => {
    expect(fieldNames(headers as HeadersLike)).toEqual(['retry-after-short']);
  });

  it('is empty for headers that cannot list theirs', () => {
    expect(fieldNames({ get: () => '3' })).toEqual([]);
  });
});
