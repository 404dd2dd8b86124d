import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Stands between a client and a Redis, and can break a connection when a command has gone through but its reply has not. */
export async function lossyProxy(port: number) {
  let loseNext: string | undefined;
  let lost = 0;
  const server = createServer((client) => {
    const redis = connect(port, '127.0.0.1');
    let losing = false;
    client.on('data', (data) => {
      if (loseNext !== undefined && data.toString().includes(loseNext)) {
        loseNext = undefined;
        losing = true;
      }
      redis.write(data);
    });
    redis.on('data', (data) => {
      if (!losing) return void client.write(data);
      // Redis has done its work.
      lost++;
      client.destroy();
      redis.destroy();
    });
    client.on('error', () => undefined).on('close', () => redis.destroy());
    redis.on('error', () => undefined).on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next command that has `text` in it is done, but its reply is lost with the connection. */
    lose: (text: string) => {
      loseNext = text;
    },
    get lost() {
      return lost;
    },
  };
}
