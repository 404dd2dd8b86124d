import { defer, Subscription } from 'rxjs';
import { wait } from '../../time.js';

/** Pause between a failed ping and the next, in ms. */
const PING_PAUSE = 250;

/** Watch of whether Redis answers. While Redis is away one ping at a time looks for it, for as long as it is wanted. */
export class RedisWatch {
  readonly #ping: () => Promise<unknown>;
  #away = false;
  #wanted = false;
  /** A ping cannot be taken back: the next look waits for the one that is under way. */
  #underWay = false;
  #pause = Subscription.EMPTY;

  constructor(ping: () => Promise<unknown>) {
    this.#ping = ping;
  }

  get away(): boolean {
    return this.#away;
  }

  /** Notes that Redis failed, or was silent. */
  lost(): void {
    this.#away = true;
    this.look();
  }

  /** Looks for Redis until it is back. */
  look(): void {
    this.#wanted = true;
    if (this.#away && !this.#underWay && this.#pause.closed) this.#look();
  }

  /** Ends the looking: no timer is left. */
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
