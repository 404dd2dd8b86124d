import { startServer } from 'coldfetch/server';
import { createClient } from 'redis';
import { describe, expect, it, onTestFinished } from 'vitest';
import { folderOf } from '../../node/support.js';
import { needsRedis } from '../../support/needs.js';
import { startRedis } from '../../support/redis.js';
import { coldfetch } from '../support.js';

const TO = ['--token', 'secret', '--commit', 'c'.repeat(40), '--branch', 'main', '--redis'];

describe('coldfetch upload --redis', () => {
  it('asks for the URL where there is none', async () => {
    const { code, stderr } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), ...TO]);
    expect(code).toBe(2);
    expect(stderr).toContain('set COLDFETCH_REDIS');
  });

  it('does not repeat a URL that is none', async () => {
    const { code, stderr } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), ...TO], {
      env: { COLDFETCH_REDIS: 'hunter//2' },
    });
    expect(code).toBe(2);
    expect(stderr).not.toContain('hunter');
  });

  it('uploads without a Redis that cannot be reached, and says so without its URL', async () => {
    const server = await startServer();
    onTestFinished(() => server.close());
    const env = { COLDFETCH_REDIS: 'redis://:password@127.0.0.1:1' };
    const { code, stderr } = await coldfetch(['upload', await folderOf({ 'a.png': 'x' }), '--api', server.apiUrl, ...TO], { env });
    expect(code).toBe(0);
    expect(stderr).toContain(`Redis does not answer: this upload keeps to its own part (${server.url})\n`);
    expect(stderr).not.toMatch(/password|redis:/);
  });
});

needsRedis('two uploads with --redis', () => {
  it('both arrive, and are not counted among those who share any more', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const server = await startServer({ limit: { requests: 20, windowMs: 2000, routes: 'all' } });
    onTestFinished(() => server.close());
    const files = (name: string) => folderOf(Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`${name}${i}.png`, `${name} ${i}`])));
    const upload = async (name: string) =>
      coldfetch(['upload', await files(name), '--api', server.apiUrl, ...TO], { env: { COLDFETCH_REDIS: redis.url } });
    const outcomes = await Promise.all([upload('a'), upload('b')]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    const client = createClient({ url: redis.url });
    await client.connect();
    expect(await client.keys('*:clients')).toEqual([]);
    client.destroy();
  });
});
