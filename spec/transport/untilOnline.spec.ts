import { describe, expect, it } from 'vitest';
import { isOffline, untilOnline } from '../../src/transport/untilOnline.js';
import { outcome } from '../read/support/outcome.js';
import { browserNetwork } from '../support/browserNetwork.js';

describe('untilOnline', () => {
  it('completes at once where nobody says that there is no network', () => {
    expect(outcome(untilOnline).completed).toBe(true);
    browserNetwork();
    expect(outcome(untilOnline).completed).toBe(true);
  });

  it('completes when the browser is online again, and leaves no listener', () => {
    const network = browserNetwork();
    network.offline();
    expect(isOffline()).toBe(true);
    let completed = false;
    untilOnline.subscribe({ complete: () => (completed = true) });
    expect(completed).toBe(false);
    network.online();
    expect({ completed, listeners: network.listeners() }).toEqual({ completed: true, listeners: 0 });
  });

  it('leaves no listener when it is unsubscribed', () => {
    const network = browserNetwork();
    network.offline();
    const subscription = untilOnline.subscribe();
    expect(network.listeners()).toBe(1);
    subscription.unsubscribe();
    expect(network.listeners()).toBe(0);
  });
});
