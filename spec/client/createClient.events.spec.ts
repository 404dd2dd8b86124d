import { lastValueFrom, map, tap, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type HttpEvent, HttpRequest, policies } from 'coldfetch';
import { marbles, reply } from 'coldfetch/testing';
import { errorOf } from '../support/errorOf.js';
import { client } from './createClient.support.js';

describe('createClient', () => {
  describe('events', () => {
    it('come in their order, attempt by attempt', () =>
      marbles(({ expect$ }) => {
        const { http } = client({ retry: policies.upload }, [
          reply(503, { body: 'busy' }),
          reply(200, { chunks: 'a 9ms b|', values: { a: '[1,', b: '2]' }, headers: { 'content-length': '5' } }),
        ]);
        const events$ = http.put('users', 'hello', { observe: 'events' }).pipe(map(brief));
        expect$(events$).toBeMarbles('(abcd) 994ms (efgi) 4ms j(k|)', {
          a: 'sent 1',
          b: 'upload 1 5/5',
          c: 'headers 1 503',
          d: 'wait 1 transient backoff 1000',
          e: 'sent 2',
          f: 'upload 2 5/5',
          g: 'headers 2 200',
          i: 'download 2 3/5',
          j: 'download 2 5/5',
          k: 'response 2 200 [1,2]',
        });
      }));

    it('end with gave-up before the error', async () => {
      const { http } = client({}, [404]);
      const events: string[] = [];
      await errorOf(http.get('users', { observe: 'events' }).pipe(tap((event) => events.push(brief(event)))));
      expect(events).toEqual(['sent 1', 'headers 1 404', 'gave-up 1 terminal']);
    });

    it('come from request() too', async () => {
      const { http } = client({}, [reply(200, { json: [] })]);
      const events = await lastValueFrom(http.request(new HttpRequest('GET', 'users')).pipe(map(brief), toArray()));
      expect(events).toEqual(['sent 1', 'headers 1 200', 'download 1 2', 'response 1 200 []']);
    });

    it('name the request id and the origin', () =>
      marbles(({ expect$ }) => {
        const { http } = client({ requestIdHeader: 'x-id' }, [reply(429, { headers: { 'retry-after': '1' } }), 404]);
        const waits$ = http
          .get('users', { observe: 'events', headers: { 'x-id': 'mine' } })
          .pipe(map((event) => ('requestId' in event ? [event.type, event.requestId, event.origin] : event.type)));
        expect$(waits$).toBeMarbles(
          '(abc) 995ms (abd#)',
          { a: 'sent', b: 'headers', c: ['wait', 'mine', 'https://api.test'], d: ['gave-up', 'mine', 'https://api.test'] },
          {
            status: 404,
          },
        );
      }));
  });
});

/** An event in a line. */
function brief(event: HttpEvent): string {
  const start = `${event.type} ${event.attempt}`;
  switch (event.type) {
    case 'upload':
    case 'download':
      return `${start} ${event.loaded}${event.total === undefined ? '' : `/${event.total}`}`;
    case 'headers':
      return `${start} ${event.status}`;
    case 'wait':
      return `${start} ${event.kind} ${event.source} ${event.delay}`;
    case 'gave-up':
      return `${start} ${event.reason}`;
    case 'response':
      return `${start} ${event.status} ${JSON.stringify(event.body)}`;
    default:
      return start;
  }
}
