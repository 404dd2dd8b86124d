import type { OptionRule } from '../../request/checkOptions.js';

/** Commands of a client of the package `redis` that are used (4 to 6, single server or cluster). */
export interface NodeRedisClient {
  /** EVAL: runs a script by its text. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** EVALSHA: runs a script that the server knows. */
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  /** PING. */
  ping(): Promise<unknown>;
}

/** Commands of a client of the package `ioredis` that are used (4 to 6, single server or cluster). */
export interface IoredisClient {
  /** EVAL: runs a script by its text. */
  eval(script: string, keys: number, ...args: string[]): Promise<unknown>;
  /** EVALSHA: runs a script that the server knows. */
  evalsha(sha1: string, keys: number, ...args: string[]): Promise<unknown>;
  /** PING. */
  ping(): Promise<unknown>;
}

/** A connected client of the package `redis` or of `ioredis`; its connection and its `error` events stay its owner's. */
export type RedisClient = NodeRedisClient | IoredisClient;

/** The needed commands, of whichever package. */
export interface RedisCommands {
  eval(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  evalSha(sha1: string, keys: readonly string[], args: readonly string[]): Promise<unknown>;
  ping(): Promise<unknown>;
}

/** True if `value` is a client that {@link commandsOf} understands. */
function isRedisClient(value: unknown): value is RedisClient {
  if (typeof value !== 'object' || value === null) return false;
  // Version 3 of the package redis has the same names, and callbacks where the others have promises.
  if ('internal_send_command' in value) return false;
  return 'ping' in value && 'eval' in value && ('evalSha' in value || 'evalsha' in value);
}

/** Gives the commands of both packages one shape. */
export function commandsOf(client: RedisClient): RedisCommands {
  const ping = async (): Promise<unknown> => client.ping();
  if ('evalSha' in client) {
    return {
      ping,
      eval: async (script, keys, args) => client.eval(script, { keys: [...keys], arguments: [...args] }),
      evalSha: async (sha1, keys, args) => client.evalSha(sha1, { keys: [...keys], arguments: [...args] }),
    };
  }
  return {
    ping,
    eval: async (script, keys, args) => client.eval(script, keys.length, ...keys, ...args),
    evalSha: async (sha1, keys, args) => client.evalsha(sha1, keys.length, ...keys, ...args),
  };
}

/** Rule of the option that is a client of Redis. */
export const CLIENT: OptionRule = [isRedisClient, 'a client of the package redis or of ioredis, version 4 or later'];
