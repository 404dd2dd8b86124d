/** Project of the test run that a spec belongs to. Its file name decides. */
export type Project = 'unit' | 'sockets' | 'packages';

/** Specs of real sockets, processes, browsers and clocks: `*.sockets.spec.ts`. */
export const SOCKETS = 'spec/**/*.sockets.spec.ts';

/** Specs of the published package, which build, pack and install it: everything in these folders. */
export const PACKAGES = ['spec/packages/**/*.spec.ts', 'spec/matrix/**/*.spec.ts'];

/** Project of a spec, by its path from the root of the repository. */
export function projectOf(path: string): Project {
  if (/^spec\/(packages|matrix)\//.test(path)) return 'packages';
  return path.endsWith('.sockets.spec.ts') ? 'sockets' : 'unit';
}
