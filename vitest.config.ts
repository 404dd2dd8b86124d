import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const src = (path: string): string => fileURLToPath(new URL(`./src/${path}`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^coldfetch$/, replacement: src('index.ts') },
      { find: /^coldfetch\/(redis|angular|nest|opentelemetry|xhr)$/, replacement: src('adapters/$1/index.ts') },
      { find: /^coldfetch\/testing\/setup$/, replacement: src('testing/setup.ts') },
      { find: /^coldfetch\/(node|testing|timeline|server)$/, replacement: src('$1/index.ts') },
    ],
  },
  test: {
    environment: 'node',
    include: ['spec/**/*.spec.ts'],
    setupFiles: ['./jest-marble.setup.ts'],
    execArgv: ['--expose-gc'],
    testTimeout: 20_000,
  },
});
