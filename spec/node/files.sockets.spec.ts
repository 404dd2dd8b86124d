import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isUsageError } from 'coldfetch';
import { screenshots, uploadBuild } from 'coldfetch/node';
import { describe, expect, it } from 'vitest';
import { errorOf } from '../support/errorOf.js';
import { buildApi, folderOf, SOURCE } from './support.js';

// Linux keeps any bytes as a name, other systems only text.
describe.skipIf(process.platform !== 'linux')('a file name that is not UTF-8', () => {
  it('is told as that', async () => {
    const folder = await folderOf({ 'a.png': 'x' });
    await writeFile(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from('.png')]), 'x');
    const { http } = await buildApi();
    const error = await errorOf(uploadBuild(http, screenshots(folder), SOURCE));
    expect([isUsageError(error), (error as Error).message]).toEqual([
      true,
      `${join(folder, 'caf\ufffd.png')} has a name that is not UTF-8, so it cannot be opened by it; rename it (nothing was sent)`,
    ]);
  });
});
