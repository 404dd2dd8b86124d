import type { Request, RequestHandler, Router } from 'express';
import { handlePromise } from '../express/handlePromise.js';
import type { Peers } from '../express/loadPeers.js';
import type { RequestLog } from '../express/RequestLog.js';
import type { ResolvedOptions } from '../options/resolveOptions.js';
import type { FileStore } from '../storage/FileStore.js';
import type { UploadPolicy } from '../storage/UploadPolicy.js';
import { ApiError } from './ApiError.js';
import { baselineBody, type CreateBuild, createBuildBody, finalizeBody, type FindBaseline, updateBuildBody } from './bodies.js';
import type { BuildStore } from './BuildStore.js';
import { describeBuild, type StoredBuild, type StoredDetails } from './StoredBuild.js';
import { parse } from './shape.js';
import { updateBuild } from './updateBuild.js';
import { uploadSigner } from './uploadSigner.js';

/** Parts of the server that the API uses. */
export interface ApiContext {
  readonly options: ResolvedOptions;
  readonly builds: BuildStore;
  readonly files: FileStore;
  readonly policy: UploadPolicy;
  readonly log: RequestLog;
}

/** The largest JSON body, in bytes. */
const JSON_BYTES = 3 * 1024 * 1024;

/** The build API, version 2. */
export function apiRoutes({ express }: Peers, { options, builds, files, policy, log }: ApiContext): Router {
  const router = express.Router();
  const json = express.json({ limit: JSON_BYTES, verify: (request, _response, body) => log.received(request, body.length) });
  const allowed = authenticate(options.token);
  const signUploads = uploadSigner({ files, policy, expiresIn: options.expiresIn });

  router.get('/project', allowed, (_request, response) => {
    const { hasRemoteContentAccess } = options;
    const account = { id: '1', slug: 'coldfetch' };
    response.json({ id: '1', account, name: 'embedded', defaultBaseBranch: 'main', hasRemoteContentAccess });
  });

  router.post('/baseline', allowed, json, (request, response) => {
    const build = findBaseline(builds, parse(baselineBody, request.body));
    response.json({ baseline: build === undefined ? null : describeBuild(build, originOf(request)) });
  });

  router.post(
    '/builds',
    allowed,
    json,
    handlePromise(async (request, response) => {
      const body = parse(createBuildBody, request.body);
      const build = findShared(builds, body) ?? (await builds.create(newBuild(body)));
      const origin = originOf(request);
      response.status(201).json({
        build: describeBuild(build, origin),
        screenshots: await signUploads(body.screenshots, origin),
        pwTraces: await signUploads(
          (body.pwTraceKeys ?? []).map((key) => ({ key, contentType: 'application/zip' })),
          origin,
        ),
      });
    }),
  );

  router.post(
    '/builds/finalize',
    allowed,
    json,
    handlePromise(async (request, response) => {
      const { parallelNonce } = parse(finalizeBody, request.body);
      const shared = builds.all.filter((build) => build.parallelNonce === parallelNonce);
      const done = await Promise.all(shared.map((build) => builds.replace({ ...build, finalized: true })));
      response.json({ builds: done.map((build) => describeBuild(build, originOf(request))) });
    }),
  );

  router.put(
    '/builds/:id',
    allowed,
    json,
    handlePromise(async (request, response) => {
      const id = String(request.params.id);
      const build = builds.find(id);
      if (build === undefined) throw new ApiError(404, 'Build not found');
      const updated = updateBuild(build, parse(updateBuildBody, request.body), request.get('x-argos-request-id') ?? null);
      if (updated !== build) await builds.replace(updated);
      response.json({ build: describeBuild(updated, originOf(request)) });
    }),
  );

  return router;
}

/** Origin by which the client reached this server: uploads have to reach it by the same. */
function originOf(request: Request): string {
  return `${request.protocol}://${request.get('host') ?? 'localhost'}`;
}

/** The unfinished build of the same parallel run. */
function findShared(builds: BuildStore, body: CreateBuild): StoredBuild | undefined {
  if (body.parallel !== true) return undefined;
  if (body.parallelNonce === null || body.parallelNonce === undefined) {
    throw new ApiError(400, '`parallelNonce` is required when `parallel` is `true`');
  }
  const shared = builds.all.find((build) => build.parallelNonce === body.parallelNonce && build.name === (body.name ?? 'default'));
  if (shared?.finalized === true) throw new ApiError(409, 'Build is already finalized');
  return shared;
}

function newBuild(body: CreateBuild): Omit<StoredBuild, 'id' | 'number'> {
  const skipped = body.skipped === true;
  return {
    commit: body.commit,
    branch: body.branch,
    name: body.name ?? 'default',
    mode: body.mode ?? 'ci',
    details: detailsOf(body),
    parallelNonce: body.parallel === true ? (body.parallelNonce ?? null) : null,
    parallelTotal: null,
    shards: [],
    screenshots: [],
    metadata: null,
    skipped,
    finalized: skipped,
  };
}

function detailsOf(body: CreateBuild): StoredDetails {
  return {
    prNumber: body.prNumber ?? null,
    prHeadCommit: body.prHeadCommit ?? null,
    referenceBranch: body.referenceBranch ?? null,
    referenceCommit: body.referenceCommit ?? null,
    ciProvider: body.ciProvider ?? null,
    runId: body.runId ?? null,
    runAttempt: body.runAttempt ?? null,
    mergeQueue: body.mergeQueue ?? null,
    mergeQueuePrNumbers: body.mergeQueuePrNumbers ?? null,
    subset: body.subset ?? null,
  };
}

/** The newest complete build of the first commit that has one. */
function findBaseline(builds: BuildStore, { commits, name, mode }: FindBaseline): StoredBuild | undefined {
  const eligible = builds.all.filter(
    (build) => build.finalized && !build.skipped && build.name === (name ?? 'default') && build.mode === (mode ?? 'ci'),
  );
  const commit = commits.find((each) => eligible.some((build) => build.commit === each));
  return eligible.findLast((build) => build.commit === commit);
}

/** Lets requests pass that carry `Authorization: Bearer TOKEN`; any token when none is `expected`. Others are answered 401. */
function authenticate(expected: string | undefined): RequestHandler {
  return (request, _response, next) => {
    const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) throw new ApiError(401, 'Missing token: send `Authorization: Bearer TOKEN`');
    if (expected !== undefined && token !== expected) throw new ApiError(401, 'Project not found: verify your token');
    next();
  };
}
