import { DOCUMENT, inject, type Signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { EMPTY, fromEvent, map, merge } from 'rxjs';

/** True if the browser has a network; true where there is no browser. */
export function injectOnline(): Signal<boolean> {
  const view = inject(DOCUMENT).defaultView;
  const changes$ = view ? merge(fromEvent(view, 'online'), fromEvent(view, 'offline')) : EMPTY;
  const now = (): boolean => view?.navigator.onLine ?? true;
  return toSignal(changes$.pipe(map(now)), { initialValue: now() });
}
