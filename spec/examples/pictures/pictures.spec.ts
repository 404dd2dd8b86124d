import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { policiesPicture } from './policies.js';
import { throttledUploadPicture } from './throttledUpload.js';

const PICTURES = [
  { file: 'policies.svg', draw: policiesPicture },
  { file: 'throttledUpload.svg', draw: throttledUploadPicture },
];

const REMEDY = 'look at it, and draw it anew: UPDATE_PICTURES=1 npx vitest run spec/examples/pictures';

describe('the pictures of the README', () => {
  it.each(PICTURES)('$file shows what the code does today', ({ file, draw }) => {
    const path = fileURLToPath(new URL(file, import.meta.url));
    const picture = draw();
    if (process.env.UPDATE_PICTURES === '1') writeFileSync(path, picture);
    expect(readFileSync(path, 'utf8'), REMEDY).toBe(picture);
  });
});
