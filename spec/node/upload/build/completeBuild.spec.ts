import { describe, expect, it } from 'vitest';
import { completeBuildBodies } from '../../../../src/node/upload/build/completeBuild.js';
import { resolveBuildOptions } from '../../../../src/node/upload/build/resolveBuildOptions.js';
import type { ParallelOptions } from '../../../../src/node/UploadBuildOptions.js';
import type { UploadPart } from '../../../../src/node/UploadTarget.js';

const file = { path: '', name: 'a.png', contentType: 'image/png', key: 'k', stamp: { bytes: 1, modified: 0 } };

function bodies(part: Partial<UploadPart>, parallel?: ParallelOptions) {
  const options = resolveBuildOptions({ commit: 'c'.repeat(40), branch: 'main', parallel, metadata: { by: 'spec' } });
  return completeBuildBodies(options, { index: 1, total: 1, files: [file], images: [file], uploadId: 'u', resumable: false, ...part });
}

describe('completeBuildBodies', () => {
  it('ends a build that is not parallel', () => {
    expect(bodies({})).toMatchObject([{ parallel: null, parallelTotal: null, parallelIndex: null, final: true, metadata: { by: 'spec' } }]);
  });

  it('makes each part of a large upload a shard', () => {
    expect(bodies({ index: 2, total: 3 })).toMatchObject([{ parallel: true, parallelTotal: 3, parallelIndex: 2, final: true }]);
  });

  it('makes an upload that may be resumed a shard', () => {
    expect(bodies({ resumable: true })).toMatchObject([{ parallel: true, parallelTotal: 1, parallelIndex: 1, final: true }]);
  });

  it("keeps the parts of a job's own shard under its number, and ends it with the last", () => {
    const parallel = { nonce: 'n', total: 4, index: 3 };
    expect(bodies({ index: 1, total: 2 }, parallel)).toMatchObject([{ parallelTotal: 4, parallelIndex: 3, final: false, metadata: null }]);
    expect(bodies({ index: 2, total: 2 }, parallel)).toMatchObject([{ parallelTotal: 4, parallelIndex: 3, final: true }]);
  });

  it('ends each request of a shard without a number', () => {
    expect(bodies({ index: 1, total: 2 }, { nonce: 'n', total: -1 })).toMatchObject([
      { parallelTotal: -1, parallelIndex: null, final: true },
    ]);
  });
});
