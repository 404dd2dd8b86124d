import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { StopSignal } from '../../src/cli/Io.js';
import { listenForStop } from '../../src/cli/processIo.js';
import { worldOf } from './support.js';

describe('listenForStop', () => {
  it('hears the first signal, also for those that subscribe later', () => {
    const stop$ = new Subject<StopSignal>();
    const stop = listenForStop(worldOf({ stop$ }).io);
    expect(stop.code()).toBeUndefined();
    stop$.next('SIGTERM');
    let heard: unknown;
    stop.stop$.subscribe((signal) => (heard = signal));
    expect([heard, stop.code()]).toEqual(['SIGTERM', 143]);
  });

  it('leaves the second one to the system, which ends the process', () => {
    const stop$ = new Subject<StopSignal>();
    listenForStop(worldOf({ stop$ }).io);
    expect(stop$.observed).toBe(true);
    stop$.next('SIGINT');
    expect(stop$.observed).toBe(false);
  });
});
