import { map } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { policies } from 'coldfetch';
import { type MarbleContext, marbles, reply } from 'coldfetch/testing';
import { type Shot, uploadShots } from './uploadShots.js';

const shots: Shot[] = ['a.png', 'b.png', 'c.png'].map((name) => ({ name, png: new Blob([name], { type: 'image/png' }) }));

/** The client of the application, but for the server it reaches. */
function uploadClient(client: MarbleContext['client']): ReturnType<MarbleContext['client']> {
  return client({ retry: policies.upload });
}

describe('an upload', () => {
  it('creates a build, puts two files at a time, and closes the build', () =>
    marbles(({ server, client, expect$ }) => {
      server.on('POST /builds', '10ms a', { a: reply(201, { json: { id: '7' } }) });
      server.on('PUT /builds/7/*', '100ms a 200ms b 100ms c', { a: 204, b: 204, c: 204 });
      server.on('POST /builds/7/close', [204]);

      const done = uploadShots(uploadClient(client), shots).pipe(map((event) => `${event.name} ${event.type}`));

      expect$(done).toBeMarbles('10ms 100ms a 99ms (bc|)', { a: 'a.png done', b: 'b.png done', c: 'c.png done' });
      expect$(server).toHaveRequests('   a  9ms (bc) 96ms d 99ms e', {
        a: 'POST /builds',
        b: { method: 'PUT', path: '/builds/7/a.png', body: shots[0]?.png },
        c: 'PUT /builds/7/b.png',
        d: 'PUT /builds/7/c.png',
        e: 'POST /builds/7/close',
      });
    }));

  it('waits a 429 out, and shows for how long', () =>
    marbles(({ server, client, expect$ }) => {
      server.on('POST /builds', [reply(201, { json: { id: '7' } })]);
      server.on('PUT /builds/7/a.png', [reply(429, { headers: { 'retry-after': '30' } }), 503, 204]);
      server.on('POST /builds/7/close', [204]);

      const upload = uploadShots(uploadClient(client), shots.slice(0, 1));

      expect$(upload).toWait(['retry-after 30s', 'backoff 1s']);
    }));

  it('goes on without a file that cannot be sent', () =>
    marbles(({ server, client, expect$ }) => {
      server.on('POST /builds', [reply(201, { json: { id: '7' } })]);
      server.on('PUT /builds/7/a.png', [413]).on('PUT /builds/7/b.png', [204]).on('PUT /builds/7/c.png', [204]);
      server.on('POST /builds/7/close', [204]);

      expect$(uploadShots(uploadClient(client), shots)).toBeMarbles('(abc|)', {
        a: { type: 'failed', name: 'a.png', error: expect.objectContaining({ status: 413 }) },
        b: { type: 'done', name: 'b.png' },
        c: { type: 'done', name: 'c.png' },
      });
    }));

  it('stops at once, in a wait too, and does not close the build', () =>
    marbles(({ server, client, expect$ }) => {
      server.on('POST /builds', [reply(201, { json: { id: '7' } })]);
      server.on('PUT /builds/7/a.png', [reply(429, { headers: { 'retry-after': '30' } })]);

      expect$(uploadShots(uploadClient(client), shots.slice(0, 1)), '^ 9s !').toBeMarbles('w', {
        w: expect.objectContaining({ type: 'wait' }),
      });
      expect$(server).toHaveRequests('(ab)', { a: 'POST /builds', b: 'PUT /builds/7/a.png' });
    }));
});
