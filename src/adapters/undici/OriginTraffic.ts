import type { Unsubscribable } from 'rxjs';
import { wait, type Watchdog } from '../../time.js';

/** The idle timeout of a request. */
type Idle = Pick<Watchdog, 'touch' | 'pause'>;

/** State of a request: not yet on a connection, held back by a limit of the dispatcher meanwhile, or on a connection. */
type State = 'dispatched' | 'held' | 'running';

/**
 * Requests to one origin. While some are on a connection, those that the dispatcher holds back by its limit are owed nothing: their idle
 * timeouts pause.
 */
export class OriginTraffic {
  readonly #requests = new Map<Idle, State>();
  #running = 0;
  /** True if the idle timeouts of held requests run. */
  #owed = true;
  #pause: Unsubscribable | undefined;

  /** True if no request is under way. */
  get isEmpty(): boolean {
    return this.#requests.size === 0;
  }

  /** Notes that a request is given to the dispatcher. */
  dispatch(idle: Idle): void {
    this.#requests.set(idle, 'dispatched');
  }

  /** Notes that the dispatcher may have no connection for a request now. */
  hold(idle: Idle): void {
    if (this.#requests.get(idle) !== 'dispatched') return;
    this.#requests.set(idle, 'held');
    if (!this.#owed) idle.pause();
  }

  /** Notes that a request has a connection. */
  begin(idle: Idle): void {
    const state = this.#requests.get(idle);
    if (state === undefined || state === 'running') return;
    this.#requests.set(idle, 'running');
    this.#running += 1;
    if (state === 'held') idle.touch();
    this.#pause?.unsubscribe();
    if (this.#owed) this.#eachHeld(({ pause }) => pause());
    this.#owed = false;
  }

  /** Notes that a request has ended, or is given up. Where no other gets a connection now, held requests are owed one. */
  end(idle: Idle): void {
    const state = this.#requests.get(idle);
    this.#requests.delete(idle);
    if (state === 'running') this.#running -= 1;
    this.#pause?.unsubscribe();
    if (this.#running > 0 || this.#owed || this.isEmpty) return;
    this.#pause = wait(0).subscribe(() => {
      this.#owed = true;
      this.#eachHeld(({ touch }) => touch());
    });
  }

  #eachHeld(change: (idle: Idle) => void): void {
    for (const [idle, state] of this.#requests) if (state === 'held') change(idle);
  }
}
