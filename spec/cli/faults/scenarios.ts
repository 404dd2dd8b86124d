import { STATUS_CODES } from 'node:http';
import type { Addresses, Fault } from '../../support/faultyProxy.js';

/** A request of a command, and the command lines that send it. */
export interface Step {
  /** Name in the table. */
  readonly name: string;
  /** Method and path of the request. */
  readonly request: RegExp;
  /** Arguments that name the command and its own options. */
  readonly command: readonly ['upload' | 'finalize' | 'put', ...options: string[]];
  /** Arguments of a command that has to have run before. */
  readonly before?: readonly ['upload', ...options: string[]];
}

const shard = (total: number): readonly ['upload', ...string[]] => [
  'upload',
  '--parallel-nonce',
  'run-1',
  '--parallel-total',
  String(total),
  '--parallel-index',
  '1',
];

const CREATE = /^POST \/v2\/builds$/;
const COMPLETE = /^PUT \/v2\/builds\//;

/** All requests that the command makes of an API or of object storage. */
export const STEPS = {
  create: { name: 'Creating a build', request: CREATE, command: ['upload'] },
  createShard: { name: 'Creating the build of a shard', request: CREATE, command: shard(1) },
  baseline: {
    name: 'Finding the complete build of a shard that runs twice',
    request: /^POST \/v2\/baseline$/,
    command: shard(1),
    before: shard(1),
  },
  send: { name: 'Sending a file', request: /^POST \/storage\//, command: shard(1) },
  complete: { name: 'Completing a build', request: COMPLETE, command: ['upload'] },
  completeShard: { name: 'Completing a shard', request: COMPLETE, command: shard(1) },
  finalize: {
    name: '`coldfetch finalize`',
    request: /^POST \/v2\/builds\/finalize$/,
    command: ['finalize', '--parallel-nonce', 'run-1'],
    before: shard(-1),
  },
  skip: { name: 'Creating a build by `--skipped`', request: CREATE, command: ['upload', '--skipped'] },
  put: { name: '`coldfetch put`', request: /^PUT \/files\//, command: ['put'] },
} as const satisfies Record<string, Step>;

/** Name of a step. */
export type StepName = keyof typeof STEPS;

/** One fault of one step. */
export interface Scenario {
  readonly step: StepName;
  /** Fault or status of an answer; an address that does not work, for all requests to the host of the step. */
  readonly fault: Fault | number | Exclude<keyof Addresses, 'plain'>;
  /** True if only the first request has it; each one otherwise. */
  readonly isOnce: boolean;
}

/** Registered statuses of errors. */
export const STATUSES = Object.keys(STATUS_CODES)
  .map(Number)
  .filter((status) => status >= 400);

/** Faults of a server that falls silent. */
export const SILENT = ['no answer', 'silence in the answer'] as const satisfies readonly Fault[];

/** Faults after which a request that is sent again succeeds. */
const BROKEN: readonly Fault[] = [
  'reset before the answer',
  'reset in the body',
  'reset after the body',
  'reset in the headers',
  'wrong length',
];

/** Faults that no repetition mends, or that are none to a client. */
const LASTING: readonly Fault[] = ['a page of HTML', '1-byte chunks'];

/** Addresses that lead nowhere. */
const ADDRESSES = ['untrusted', 'withoutTls', 'closed'] as const;

/** First requests to a host: the others go where a build was created. */
const FIRST_AT_HOST: readonly StepName[] = ['create', 'createShard', 'send', 'finalize', 'skip', 'put'];

/** All scenarios, by their steps. */
export const SCENARIOS: readonly Scenario[] = (Object.keys(STEPS) as StepName[]).flatMap((step): Scenario[] => {
  // A timeout is short here. A build that is no shard's would be lost where a busy machine takes longer to create it.
  const broken = step === 'complete' ? BROKEN : [...BROKEN, ...SILENT];
  return [
    ...(FIRST_AT_HOST.includes(step) ? ADDRESSES.map((fault) => ({ step, fault, isOnce: false })) : []),
    ...broken.flatMap((fault) => [false, true].map((isOnce) => ({ step, fault, isOnce }))),
    ...LASTING.map((fault) => ({ step, fault, isOnce: false })),
    ...STATUSES.map((fault) => ({ step, fault, isOnce: false })),
    ...[429, 503].map((fault) => ({ step, fault, isOnce: true })),
  ];
});

/** Name of a scenario. */
export function titleOf({ step, fault, isOnce }: Scenario): string {
  return `${step}: ${fault}${isOnce ? ', once' : ''}`;
}
