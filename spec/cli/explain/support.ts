import { run } from '../../../src/cli/run.js';
import { type Outcome, worldOf } from '../support.js';

/** Runs `coldfetch explain` in this process, as in a terminal of 80 columns unless told otherwise. */
export async function explain(argv: readonly string[], cwd = '/', columns = 80): Promise<Outcome> {
  const { io, stdout, stderr } = worldOf({ cwd });
  Object.assign(io.stdout, { columns });
  const code = await run(['explain', ...argv], io);
  return { code, stdout: stdout(), stderr: stderr() };
}
