import type { Setting } from './Setting.js';
import { apiUrl, commitHash, duration, filledText, oneOf, patterns, pullRequests, share, wholeNumber, yesOrNo } from './settingParsers.js';

/** Values of the settings of an upload, by the name that the config file has for them. */
export interface SettingValues {
  readonly api: string;
  readonly commit: string;
  readonly branch: string;
  readonly buildName: string;
  readonly mode: 'ci' | 'monitoring';
  readonly parallel: boolean;
  readonly parallelNonce: string;
  readonly parallelTotal: number;
  readonly parallelIndex: number;
  readonly referenceBranch: string;
  readonly referenceCommit: string;
  readonly prNumber: number;
  readonly prHeadCommit: string;
  readonly mergeQueuePrs: readonly number[];
  readonly subset: boolean;
  readonly skipped: boolean;
  readonly threshold: number;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly concurrency: number;
  readonly maxFailures: number;
  readonly failFast: boolean;
  readonly deadline: number;
  readonly timeout: number;
  readonly ca: string;
  readonly allowMissing: boolean;
}

/** Name of a setting. */
export type SettingName = keyof SettingValues;

const ABOVE_0 = 'a whole number, 1 or more';

/** All settings of an upload: one table for the flags, the environment and the config file. */
export const SETTINGS: { readonly [Name in SettingName]: Setting<SettingValues[Name]> } = {
  api: {
    flag: '--api <url>',
    help: 'base URL of the build API (default: https://api.argos-ci.com/v2/)',
    env: ['COLDFETCH_API', 'ARGOS_API_BASE_URL'],
    parse: apiUrl,
  },
  commit: {
    flag: '--commit <sha>',
    help: 'commit that the screenshots show (default: from CI variables, else from git)',
    env: ['COLDFETCH_COMMIT', 'ARGOS_COMMIT'],
    parse: commitHash,
  },
  branch: {
    flag: '--branch <name>',
    help: 'its branch (default: from CI variables, else from git)',
    env: ['COLDFETCH_BRANCH', 'ARGOS_BRANCH'],
    parse: filledText('the name of the branch'),
  },
  buildName: {
    flag: '--build-name <name>',
    help: 'name of the build, where a commit has several',
    env: ['COLDFETCH_BUILD_NAME', 'ARGOS_BUILD_NAME'],
    parse: filledText('a name'),
  },
  mode: {
    flag: '--mode <mode>',
    help: 'ci: compared with the baseline of the branch; monitoring: with the build before (default: ci)',
    env: ['COLDFETCH_MODE', 'ARGOS_MODE'],
    parse: oneOf(['ci', 'monitoring']),
  },
  parallel: {
    flag: '--parallel',
    help: 'upload one shard of a build that several jobs make together (default: where CI variables number the jobs)',
    env: ['COLDFETCH_PARALLEL', 'ARGOS_PARALLEL'],
    parse: yesOrNo,
  },
  parallelNonce: {
    flag: '--parallel-nonce <text>',
    help: 'text that all shards of a run share, and no other run (default: from CI variables)',
    env: ['COLDFETCH_PARALLEL_NONCE', 'ARGOS_PARALLEL_NONCE'],
    parse: filledText('a text that all shards of the run share'),
  },
  parallelTotal: {
    flag: '--parallel-total <shards>',
    help: 'number of shards; -1: `coldfetch finalize` ends the build (default: from CI variables)',
    env: ['COLDFETCH_PARALLEL_TOTAL', 'ARGOS_PARALLEL_TOTAL'],
    parse: wholeNumber(1, Infinity, 'the number of shards, or -1', [-1]),
  },
  parallelIndex: {
    flag: '--parallel-index <number>',
    help: 'number of this shard, from 1 (default: from CI variables)',
    env: ['COLDFETCH_PARALLEL_INDEX', 'ARGOS_PARALLEL_INDEX'],
    parse: wholeNumber(1, Infinity, ABOVE_0),
  },
  referenceBranch: {
    flag: '--reference-branch <name>',
    help: 'branch whose build is the baseline',
    env: ['COLDFETCH_REFERENCE_BRANCH', 'ARGOS_REFERENCE_BRANCH'],
    parse: filledText('the name of the branch'),
  },
  referenceCommit: {
    flag: '--reference-commit <sha>',
    help: 'commit whose build is the baseline',
    env: ['COLDFETCH_REFERENCE_COMMIT', 'ARGOS_REFERENCE_COMMIT'],
    parse: commitHash,
  },
  prNumber: {
    flag: '--pr-number <number>',
    help: 'number of the pull request (default: from CI variables)',
    env: ['COLDFETCH_PR_NUMBER', 'ARGOS_PR_NUMBER'],
    parse: wholeNumber(1, Infinity, ABOVE_0),
  },
  prHeadCommit: {
    flag: '--pr-head-commit <sha>',
    help: 'newest commit of the pull request (default: from CI variables)',
    env: ['COLDFETCH_PR_HEAD_COMMIT', 'ARGOS_PR_HEAD_COMMIT'],
    parse: commitHash,
  },
  mergeQueuePrs: {
    flag: '--merge-queue-prs <numbers>',
    help: 'pull requests that a merge queue tests together, as 12,13 (default: from CI variables)',
    env: ['COLDFETCH_MERGE_QUEUE_PRS', 'ARGOS_MERGE_QUEUE_PRS'],
    parse: pullRequests,
  },
  subset: {
    flag: '--subset',
    help: "these are only some of the project's screenshots: others are not missed",
    env: ['COLDFETCH_SUBSET', 'ARGOS_SUBSET'],
    parse: yesOrNo,
  },
  skipped: {
    flag: '--skipped',
    help: 'make a build that is marked as skipped, and upload nothing',
    env: ['COLDFETCH_SKIPPED', 'ARGOS_SKIPPED'],
    parse: yesOrNo,
  },
  threshold: {
    flag: '--threshold <share>',
    help: 'how different screenshots may be, from 0 to 1, where their side-car files do not say it',
    env: ['COLDFETCH_THRESHOLD', 'ARGOS_THRESHOLD'],
    parse: share,
  },
  include: {
    flag: '--include <pattern>',
    help: 'what to take, below the folder; may be given several times (default: all png, jpeg, webp, gif and avif images)',
    env: ['COLDFETCH_INCLUDE'],
    parse: patterns,
    isList: true,
  },
  exclude: {
    flag: '--exclude <pattern>',
    help: 'what to leave out; may be given several times',
    env: ['COLDFETCH_EXCLUDE'],
    parse: patterns,
    isList: true,
  },
  concurrency: {
    flag: '--concurrency <files>',
    help: 'files sent at once (default: 10)',
    env: ['COLDFETCH_CONCURRENCY'],
    parse: wholeNumber(1, 9_999, 'a whole number from 1 to 9999'),
  },
  maxFailures: {
    flag: '--max-failures <files>',
    help: 'stop when so many files have failed (default: a failed file stops no other)',
    env: ['COLDFETCH_MAX_FAILURES'],
    parse: wholeNumber(1, Infinity, ABOVE_0),
  },
  failFast: {
    flag: '--fail-fast',
    help: 'stop at the first file that fails',
    env: ['COLDFETCH_FAIL_FAST'],
    parse: yesOrNo,
  },
  deadline: {
    flag: '--deadline <time>',
    help: 'stop after this time, as 90s or 15m',
    env: ['COLDFETCH_DEADLINE'],
    parse: duration,
  },
  timeout: {
    flag: '--timeout <time>',
    help: 'let a request fail, and be repeated where that is safe, that makes no progress for this time (default: 30s)',
    env: ['COLDFETCH_TIMEOUT'],
    parse: duration,
  },
  ca: {
    flag: '--ca <file>',
    help: "PEM file of certificate authorities to trust, beside Node's own; SSL_CERT_FILE names one to trust instead of those",
    env: ['COLDFETCH_CA'],
    parse: filledText('the path of a PEM file'),
  },
  allowMissing: {
    flag: '--allow-missing',
    help: 'complete the build without the files that failed; the exit code is 3 then',
    env: ['COLDFETCH_ALLOW_MISSING'],
    parse: yesOrNo,
  },
};
