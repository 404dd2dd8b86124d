import { expect, it } from 'vitest';
import { counted } from '../../src/request/counted.js';

it('counts with a noun', () => {
  expect([counted(0, 'file'), counted(1, 'file'), counted(2, 'file')]).toEqual(['0 files', '1 file', '2 files']);
});
