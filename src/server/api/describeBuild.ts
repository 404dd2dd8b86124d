import type { StoredBuild } from './StoredBuild.js';

/** A build as the API shows it. */
export interface BuildAnswer {
  readonly id: string;
  readonly number: number;
  readonly status: 'pending' | 'progress';
  readonly url: string;
  readonly notification: null;
  readonly head: { readonly sha: string; readonly branch: string };
}

/** A build as the API shows it; `origin` is that by which the client reached the server. */
export function describeBuild(build: StoredBuild, origin: string): BuildAnswer {
  return {
    id: build.id,
    number: build.number,
    // Nothing is compared here, so a complete build stays where the real service would begin to.
    status: build.finalized ? 'progress' : 'pending',
    url: `${origin}/builds/${build.id}`,
    notification: null,
    head: { sha: build.commit, branch: build.branch },
  };
}
