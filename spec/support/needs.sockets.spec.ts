import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { launchChromium } from './chromium.js';
import { needsChromium, needsRedis } from './needs.js';
import { startRedis } from './redis.js';

needsRedis('a Redis for a spec', () => {
  it('answers on its own port until it is stopped, and starts there again', async () => {
    const first = await startRedis();
    expect(await ping(first.port)).toBe('+PONG\r\n');
    await first.stop();
    await expect(ping(first.port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });

    const again = await startRedis(first.port);
    expect(again.url).toBe(`redis://127.0.0.1:${first.port}`);
    expect(await ping(again.port)).toBe('+PONG\r\n');
    await again.stop();
  });

  it('says why it cannot start', async () => {
    const redis = await startRedis();
    await expect(startRedis(redis.port)).rejects.toThrow(/Address already in use/);
    redis.pause();
    await redis.stop();
  });
});

needsChromium('a Chromium for a spec', () => {
  it('loads a page', async () => {
    const browser = await launchChromium();
    const page = await browser.newPage();
    await page.goto('data:text/html,<title>coldfetch</title>');
    expect(await page.title()).toBe('coldfetch');
    await browser.close();
  });
});

async function ping(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('PING\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}
