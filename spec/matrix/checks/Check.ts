import type { ServerLog, Step } from './CheckServer.js';

/** One thing that a user of coldfetch relies on, tried from the outside. */
export interface Check {
  readonly name: string;
  /** Fails, by an error, if it does not hold. */
  readonly run: (serve: Serve) => Promise<unknown>;
}

/** Tells the server of the checks what to answer, in this order. */
export type Serve = (...steps: readonly Step[]) => Promise<Api>;

/** Part of the server of the checks that belongs to one check. */
export interface Api {
  /** Origin of the server, without a slash at the end. */
  readonly url: string;
  /** The same by another origin. */
  readonly abroad: string;
  /** Requests that came so far. */
  log(): Promise<ServerLog>;
  /** The log once it is as `ready` wants it. */
  logWhen(ready: (log: ServerLog) => boolean): Promise<ServerLog>;
}

/** Outcome of one check. */
export interface CheckResult {
  readonly name: string;
  /** The failure, in words. */
  readonly failure?: string;
}

const AT_ONCE = 4;
const LONGEST = 40_000;

/** Runs checks, four at a time. */
export async function runChecks(checks: readonly Check[], origin: string): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const queue = [...checks.entries()];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, check] = next;
      results[index] = await resultOf(check, origin);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

async function resultOf({ name, run }: Check, origin: string): Promise<CheckResult> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not over after ${LONGEST} ms`)), LONGEST);
  });
  try {
    await Promise.race([run(serverAt(origin)), late]);
    return { name };
  } catch (error) {
    return { name, failure: String(error) };
  } finally {
    clearTimeout(timer);
  }
}

function serverAt(origin: string): Serve {
  return async (...steps) => {
    const key = crypto.randomUUID();
    await fetch(`${origin}/script/${key}`, { method: 'POST', body: JSON.stringify(steps) });
    const log = async (): Promise<ServerLog> => (await (await fetch(`${origin}/log/${key}`)).json()) as ServerLog;
    return {
      url: `${origin}/${key}`,
      abroad: `${origin.replace('127.0.0.1', 'localhost')}/${key}`,
      log,
      logWhen: async (ready) => {
        const until = performance.now() + 15_000;
        let seen = await log();
        while (!ready(seen)) {
          if (performance.now() > until) throw new Error(`the server saw ${JSON.stringify(seen)}`);
          await new Promise((resolve) => setTimeout(resolve, 20));
          seen = await log();
        }
        return seen;
      },
    };
  };
}
