import type { Subscription } from 'rxjs';
import { hidden } from '../request/errors/ColdfetchError.js';
import type { IdleTimeout } from './idleTimeout.js';

/** A body that can be failed from outside. */
export interface FailableBody {
  fail(reason: unknown): void;
}

/** Begins to listen for what fails a body; the listening ends with the body. */
export type ListenForBody = (body: FailableBody) => Subscription;

/** Influence on a response's body for its next reader. */
export interface BodyControl {
  /** Hands the idle timeout over: from now on the taker watches. Undefined where there is none. */
  readonly takeIdleTimeout: () => IdleTimeout | undefined;
  /** Lets a listener fail the body, until it has ended; missing where nothing guards the body. */
  readonly failBy?: (listen: ListenForBody) => void;
}

/** Key under which a response holds the control of its body. A WeakMap of all responses would cost the garbage collector more. */
const CONTROL = Symbol('body control');

/** Gives the control of a response's body to the receiver of the response. */
export function offerControl(response: Response, control: BodyControl): void {
  // A frozen stand-in for a Response stays without a control.
  if (Object.isExtensible(response)) hidden(response, CONTROL, control);
}

/** The control of a response's body, where one is offered. */
export function bodyControl(response: object): BodyControl | undefined {
  return (response as { readonly [CONTROL]?: BodyControl })[CONTROL];
}
