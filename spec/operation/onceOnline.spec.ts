import { tap, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { DeadlineError, policies, type PolicyName, retryAfter, type RetryEvent, retryReport, UsageError } from 'coldfetch';
import { marbles } from 'coldfetch/testing';
import { wait } from '../../src/time.js';
import { browserNetwork } from '../support/browserNetwork.js';
import { client } from '../client/createClient.support.js';

const waiting = (name: PolicyName) => ({ ...policies[name], random: () => 0 });

describe.each(['interactive', 'patient'] as const)('while a browser is offline, the policy %s', (name) => {
  it('holds a request until it is online again, behind a wait event', () =>
    marbles(({ expect$, flush }) => {
      const network = browserNetwork();
      network.offline();
      wait(5000).subscribe(network.online);
      const { http, fetch } = client({ retry: waiting(name) });
      const held = {
        type: 'wait',
        attempt: 1,
        delay: 0,
        until: 0,
        elapsed: 0,
        kind: 'offline',
        source: 'online',
        capped: false,
        origin: 'https://api.test',
      };
      expect$(http.get('users', { observe: 'events' })).toBeMarbles('w 4999ms (shr|)', {
        w: held,
        s: expect.objectContaining({ type: 'sent', attempt: 1 }),
        h: expect.objectContaining({ type: 'headers' }),
        r: expect.objectContaining({ type: 'response' }),
      });
      flush();
      expect(fetch.requests.map(({ at }) => at)).toEqual([5000]);
    }));
});

describe('while a browser is offline', () => {
  it('no retry is used up', () =>
    marbles(({ expect$, flush }) => {
      const network = browserNetwork();
      wait(600).subscribe(network.offline);
      for (const at of [500, 3000]) wait(at).subscribe(network.online);
      const { transient } = policies.patient.rules;
      const retry = { ...policies.patient, rules: { transient: { ...transient, retries: 1, backoff: () => 1000 } } };
      const { http, fetch } = client({ retry }, [503, 200]);
      network.offline();
      expect$(http.get('users')).toBeMarbles('3s (a|)', { a: null });
      flush();
      expect(fetch.requests.map(({ at }) => at)).toEqual([500, 3000]);
    }));

  it('a deadline ends the wait, and no listener is left', () =>
    marbles(({ expect$, flush }) => {
      const network = browserNetwork();
      network.offline();
      const { http, fetch } = client({ retry: waiting('interactive') });
      expect$(http.get('users')).toBeMarbles('15s #', undefined, expect.any(DeadlineError));
      flush();
      expect({ sent: fetch.requests.length, listeners: network.listeners() }).toEqual({ sent: 0, listeners: 0 });
    }));

  it('a deadline ends the wait behind a failure with that failure', () =>
    marbles(({ expect$, flush }) => {
      const network = browserNetwork();
      wait(1).subscribe(network.offline);
      const retry = { ...waiting('interactive'), random: () => 0.5 };
      const { http, fetch } = client({ retry }, [503, 200]);
      const reasons: unknown[] = [];
      const users$ = http.get('users').pipe(tap({ error: (error: unknown) => reasons.push(retryReport(error)?.reason) }));
      expect$(users$).toBeMarbles('15s #', undefined, expect.objectContaining({ status: 503 }));
      flush();
      expect({ sent: fetch.requests.length, reasons }).toEqual({ sent: 1, reasons: ['deadline'] });
    }));

  it('unsubscribing ends the wait, and no listener is left', () => {
    const network = browserNetwork();
    network.offline();
    const subscription = client({ retry: policies.patient }).http.get('users').subscribe();
    expect(network.listeners()).toBe(1);
    subscription.unsubscribe();
    expect(network.listeners()).toBe(0);
  });

  it('any other policy sends, and its attempts fail', () =>
    marbles(({ expect$ }) => {
      browserNetwork().offline();
      const { http } = client({ retry: { random: () => 0 } }, ['network', 'network', 'network', 'network']);
      expect$(http.get('users')).toBeMarbles('#', undefined, expect.objectContaining({ name: 'NetworkError' }));
    }));

  it('any other policy waits if told to', () =>
    marbles(({ expect$ }) => {
      const network = browserNetwork();
      network.offline();
      wait(5000).subscribe(network.online);
      const { http } = client({ retry: { offline: 'wait' } });
      expect$(http.get('users')).toBeMarbles('5s (a|)', { a: null });
    }));

  it('the operator waits as its policy says, and tells of it', () =>
    marbles(({ expect$, cold, flush }) => {
      const network = browserNetwork();
      network.offline();
      wait(5000).subscribe(network.online);
      const events: RetryEvent[] = [];
      const notify = (event: RetryEvent) => void events.push(event);
      expect$(cold('5ms (a|)').pipe(retryAfter({ ...policies.patient, notify }))).toBeMarbles('5005ms (a|)');
      flush();
      expect(events).toMatchObject([{ type: 'wait', kind: 'offline' }]);
    }));

  it('refuses what is no way to wait', () => {
    expect(() => throwError(() => 0).pipe(retryAfter({ offline: true as never }))).toThrow(UsageError);
  });
});
