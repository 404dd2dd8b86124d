import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PackagesFirst } from './spec/support/PackagesFirst.js';
import { PACKAGES, SOCKETS } from './spec/support/projects.js';

const src = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

/** Milliseconds after which a spec, a hook or a polled expectation is taken to hang. */
const HANGING = 300_000;

/**
 * The three projects. Each file name says to which one a spec belongs (`spec/support/projects.ts`). None of them isolates its files: a worker
 * imports the sources and the kit once.
 */
const projects = [
  // Virtual time: processors are the limit.
  { name: 'unit', include: ['spec/**/*.spec.ts'], exclude: [SOCKETS, ...PACKAGES], maxWorkers: 2, sequence: { groupOrder: 0 } },
  // Real time: they mostly wait, side by side and beside the packages.
  {
    name: 'sockets',
    include: [SOCKETS],
    exclude: PACKAGES,
    globalSetup: './spec/support/bundleOnce.ts',
    maxWorkers: 6,
    sequence: { groupOrder: 1 },
  },
  { name: 'packages', include: PACKAGES, globalSetup: './spec/support/packOnce.ts', maxWorkers: 6, sequence: { groupOrder: 1 } },
];

export default defineConfig({
  resolve: {
    alias: [
      { find: /^coldfetch$/, replacement: src('index.ts') },
      { find: /^coldfetch\/(redis|angular|nest|opentelemetry|xhr|undici)$/, replacement: src('adapters/$1/index.ts') },
      { find: /^coldfetch\/testing\/setup$/, replacement: src('testing/setup.ts') },
      { find: /^coldfetch\/(core|node|testing|timeline|server)$/, replacement: src('$1/index.ts') },
    ],
  },
  test: {
    environment: 'node',
    isolate: false,
    setupFiles: ['./spec/support/platformDispatcher.ts', './jest-marble.setup.ts'],
    execArgv: ['--expose-gc'],
    sequence: { sequencer: PackagesFirst },
    // A bound for what hangs, which no spec should come near on any machine: nothing is proved by how long something took.
    testTimeout: HANGING,
    hookTimeout: HANGING,
    expect: { poll: { timeout: HANGING / 2, interval: 20 } },
    projects: projects.map((test) => ({ extends: true as const, test })),
  },
});
