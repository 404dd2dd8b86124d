import { createHash } from 'node:crypto';
import type { RedisCommands } from './RedisClient.js';

/** Runs one script on Redis. */
export type Script = (keys: readonly string[], args: readonly (string | number | undefined)[]) => Promise<unknown>;

/**
 * A script that is called by its hash, and sent whole only where Redis does not know it: the first time, and after `SCRIPT FLUSH`, a
 * restart or a failover.
 *
 * A command whose connection broke before the reply is sent once more: the scripts take nothing twice.
 */
export function scriptOf(commands: RedisCommands, text: string): Script {
  const sha1 = createHash('sha1').update(text).digest('hex');
  const run = async (keys: readonly string[], args: readonly string[]): Promise<unknown> => {
    try {
      return await commands.evalSha(sha1, keys, args);
    } catch (error) {
      if (!isUnknownScript(error)) throw error;
      return commands.eval(text, keys, args);
    }
  };
  return async (keys, values) => {
    const args = values.map((value) => (value === undefined ? '' : String(value)));
    try {
      return await run(keys, args);
    } catch {
      return run(keys, args);
    }
  };
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
