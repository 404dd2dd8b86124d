import { InjectionToken } from '@angular/core';
import type { HttpClient } from '../../client/HttpClient.js';
import { injectedClient } from './injectedClient.js';

/**
 * The client of coldfetch, by injection. `provideColdfetch` sets it up; without it there is one with the defaults of `createClient`.
 *
 * Its requests end with the injector (they complete), and keep an application from being stable, as those of Angular's `HttpClient` do:
 * server-side rendering and `fixture.whenStable()` wait for them. Both hold for clients that `extend` it.
 *
 * @example
 * readonly #http = inject(COLDFETCH);
 * readonly user = rxResource({ params: () => this.id(), stream: ({ params }) => this.#http.get<User>(`users/${params}`) });
 *
 * A second API has a token of its own:
 *
 * @example
 * export const GITHUB = new InjectionToken('github', {
 *   providedIn: 'root',
 *   factory: () => inject(COLDFETCH).extend({ baseUrl: 'https://api.github.com', retry: policies.api }),
 * });
 */
export const COLDFETCH = new InjectionToken<HttpClient>('coldfetch client', { providedIn: 'root', factory: injectedClient });

/** A client of coldfetch, by a name that Angular does not use. */
export type ColdfetchClient = HttpClient;
