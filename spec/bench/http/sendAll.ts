import type { Send } from './clients.js';

/** Sends `count` requests by a client, `concurrency` at once. */
export async function sendAll(send: Send, url: string, body: string | undefined, count: number, concurrency: number): Promise<void> {
  let left = count;
  const one = async (): Promise<void> => {
    while (left-- > 0) await send(url, body);
  };
  await Promise.all(Array.from({ length: concurrency }, one));
}
