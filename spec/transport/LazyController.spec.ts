import { describe, expect, it, vi } from 'vitest';
import { LazyController } from '../../src/transport/LazyController.js';

describe('LazyController', () => {
  it('makes one signal, which aborts with the reason', () => {
    const controller = new LazyController();
    const heard = vi.fn();
    controller.signal.addEventListener('abort', heard);
    controller.abort('stop');
    expect(heard).toHaveBeenCalledOnce();
    expect([controller.signal.aborted, controller.signal.reason]).toEqual([true, 'stop']);
  });

  it('has aborted already where the signal is asked for later, with the first reason', () => {
    const controller = new LazyController();
    controller.abort('first');
    controller.abort('second');
    expect(controller.signal.reason).toBe('first');
  });

  it('aborts as that of the platform does where no reason is given', () => {
    const controller = new LazyController();
    controller.abort();
    expect(controller.signal.reason).toMatchObject({ name: 'AbortError' });
  });
});
