import { defer, Subscription } from 'rxjs';
import { wait } from '../../time.js';

/** Between a ping that failed and the next, in ms. */
const PING_PAUSE = 250;

/** Knows whether Redis answers. While it is away one ping at a time looks for it, for as long as somebody wants to know. */
export class RedisWatch {
  readonly #ping: () => Promise<unknown>;
  #away = false;
  #wanted = false;
  /** A ping cannot be taken back: the next who looks waits for the one that is under way. */
  #underWay = false;
  #pause = Subscription.EMPTY;

  constructor(ping: () => Promise<unknown>) {
    this.#ping = ping;
  }

  get away(): boolean {
    return this.#away;
  }

  /** Redis failed, or was silent. */
  lost(): void {
    this.#away = true;
    this.look();
  }

  /** Somebody wants to know when it is back. */
  look(): void {
    this.#wanted = true;
    if (this.#away && !this.#underWay && this.#pause.closed) this.#look();
  }

  /** Nobody wants to know any more: no timer is left. */
  rest(): void {
    this.#wanted = false;
    this.#pause.unsubscribe();
  }

  #look(): void {
    this.#underWay = true;
    defer(this.#ping).subscribe({
      next: () => {
        this.#underWay = false;
        this.#away = false;
      },
      error: () => {
        this.#underWay = false;
        if (this.#wanted) this.#lookLater();
      },
    });
  }

  #lookLater(): void {
    this.#pause = wait(PING_PAUSE).subscribe(() => {
      this.#look();
    });
  }
}
