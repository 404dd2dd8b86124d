import { anyObject, either, fields, flag, list, numeric, oneOf, optional, type Shape, text, whole } from './shape.js';

const SHA1 = text(40, { pattern: /^[0-9a-f]{40}$/i, name: 'a commit: 40 hexadecimal digits' });
const SHA256 = text(64, { pattern: /^[0-9a-f]{64}$/i, name: 'a SHA-256: 64 hexadecimal digits' });
const MEDIA_TYPE = text(1, { pattern: /^[\w.+-]+\/[\w.+-]+$/, name: "a content type such as 'image/png'" });
const MODE = oneOf(['ci', 'monitoring']);

/** The most keys one build takes. */
const MOST_KEYS = 5_000;

/** Body of `POST builds`. */
export const createBuildBody = fields({
  commit: SHA1,
  branch: text(1),
  name: optional(text(1)),
  mode: optional(MODE),
  parallel: optional(flag),
  parallelNonce: optional(text(1)),
  screenshots: list(fields({ key: SHA256, contentType: MEDIA_TYPE }), { most: MOST_KEYS, unique: ({ key }) => key.toLowerCase() }),
  pwTraceKeys: optional(list(SHA256, { most: MOST_KEYS, unique: (key) => key.toLowerCase() })),
  prNumber: optional(whole(1)),
  prHeadCommit: optional(text(0)),
  referenceBranch: optional(text(0)),
  referenceCommit: optional(text(0)),
  parentCommits: optional(list(SHA1)),
  argosSdk: optional(text(0)),
  ciProvider: optional(text(0)),
  runId: optional(text(0)),
  runAttempt: optional(whole(1)),
  mergeQueue: optional(flag),
  mergeQueuePrNumbers: optional(list(whole(1))),
  subset: optional(flag),
  skipped: optional(flag),
});

/** Body of `PUT builds/{id}`. */
export const updateBuildBody = fields({
  screenshots: list(
    fields({
      key: SHA256,
      name: text(1),
      metadata: optional(anyObject),
      pwTraceKey: optional(SHA256),
      threshold: optional(numeric(0, 1)),
      baseName: optional(either(text(0), list(text(0)))),
      parentName: optional(text(0)),
      contentType: optional(MEDIA_TYPE),
    }),
  ),
  parallel: optional(flag),
  parallelTotal: optional(whole(-1)),
  parallelIndex: optional(whole(1)),
  final: optional(flag),
  metadata: optional(anyObject),
});

/** Body of `POST builds/finalize`. */
export const finalizeBody = fields({ parallelNonce: text(1) });

/** Body of `POST baseline`. */
export const baselineBody = fields({ commits: list(SHA1, { least: 1 }), name: optional(text(1)), mode: optional(MODE) });

type BodyOf<S> = S extends Shape<infer T> ? T : never;

/** A checked body of `POST builds`. */
export type CreateBuild = BodyOf<typeof createBuildBody>;
/** A checked body of `PUT builds/{id}`. */
export type UpdateBuild = BodyOf<typeof updateBuildBody>;
/** A checked body of `POST baseline`. */
export type FindBaseline = BodyOf<typeof baselineBody>;
