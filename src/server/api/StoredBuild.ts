/** One screenshot of a build. */
export interface StoredScreenshot {
  /** SHA-256 of the file, hex. */
  readonly key: string;
  /** Name of the screenshot, unique in its build: a second file of the same name gets `-1`, `-2`, ... */
  readonly name: string;
  readonly contentType: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly threshold: number | null;
  readonly baseName: string | readonly string[] | null;
  readonly parentName: string | null;
}

/** Contribution of one shard of a parallel build. */
export interface StoredShard {
  /** Number of the shard, from 1; `null` for a shard without one. */
  readonly index: number | null;
  /** Id of the request that completed the shard, where one was sent. */
  readonly requestId: string | null;
  /** True if the shard's last request arrived. */
  readonly complete: boolean;
}

/** Facts about a build that have no effect here. */
export interface StoredDetails {
  readonly prNumber: number | null;
  readonly prHeadCommit: string | null;
  readonly referenceBranch: string | null;
  readonly referenceCommit: string | null;
  readonly ciProvider: string | null;
  readonly runId: string | null;
  readonly runAttempt: number | null;
  readonly mergeQueue: boolean | null;
  readonly mergeQueuePrNumbers: readonly number[] | null;
  readonly subset: boolean | null;
}

/** A build as the server keeps it, in `builds/ID.json` too. */
export interface StoredBuild {
  readonly id: string;
  /** Number of the build, from 1, in the order of creation. */
  readonly number: number;
  readonly commit: string;
  readonly branch: string;
  readonly name: string;
  readonly mode: 'ci' | 'monitoring';
  /** Further details that the client gave when it created the build; `null` for missing ones. */
  readonly details: StoredDetails;
  readonly parallelNonce: string | null;
  /** Number of expected shards; -1 when finalised by hand, `null` when unknown. */
  readonly parallelTotal: number | null;
  readonly shards: readonly StoredShard[];
  readonly screenshots: readonly StoredScreenshot[];
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly skipped: boolean;
  /** True if the build takes no more screenshots. */
  readonly finalized: boolean;
}

/** A build in the form of the API. */
export interface BuildAnswer {
  readonly id: string;
  readonly number: number;
  readonly status: 'pending' | 'progress';
  readonly url: string;
  readonly notification: null;
  readonly head: { readonly sha: string; readonly branch: string };
}

/** A build in the form of the API; `origin` is the one by which the client reached the server. */
export function describeBuild(build: StoredBuild, origin: string): BuildAnswer {
  return {
    id: build.id,
    number: build.number,
    // The server compares nothing, so a complete build stays in the state in which the real service would begin to.
    status: build.finalized ? 'progress' : 'pending',
    url: `${origin}/builds/${build.id}`,
    notification: null,
    head: { sha: build.commit, branch: build.branch },
  };
}
