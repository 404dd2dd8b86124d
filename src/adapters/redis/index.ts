/**
 * coldfetch/redis: one quota, shared by clients on many machines.
 *
 * @packageDocumentation
 */
export { connectRedis, type RedisConnection } from './connectRedis.js';
export type { SharedLimiter } from './quotaLimiter.js';
export type { IoredisClient, NodeRedisClient, RedisClient } from './RedisClient.js';
export { sharedConcurrency, type SharedConcurrencyOptions } from './sharedConcurrency.js';
export { sharedLimiter, type SharedLimiterOptions } from './sharedLimiter.js';
export type { SharedLimiterEvent } from './SharedLimiterEvent.js';
