import { TestScheduler } from 'rxjs/testing';
import { createClient, policies, type ClientOptions, type HttpClient, type HttpEvent } from 'coldfetch';
import { scriptedFetch, type ReplyValues, type Script } from 'coldfetch/testing';
import { timeline, type Timeline } from 'coldfetch/timeline';
import type { Observable } from 'rxjs';

/** Runs something in virtual time to its end. */
export function inVirtualTime<T>(work: () => T): T {
  return new TestScheduler(() => undefined).run(({ flush }) => {
    const result = work();
    flush();
    return result;
  });
}

/** Timeline of `GET https://api.test/users` when the server answers by `script`; the policy is `upload`, which draws nothing. */
export function play(
  script: Script,
  values: ReplyValues = {},
  options: ClientOptions & {
    readonly label?: string;
    readonly deadline?: number;
    readonly ask?: (http: HttpClient) => Observable<HttpEvent>;
  } = {},
): Timeline {
  const {
    label,
    deadline,
    ask = (http: HttpClient): Observable<HttpEvent> => http.get('https://api.test/users', { observe: 'events' }),
    ...client
  } = options;
  const timelines: Timeline[] = [];
  inVirtualTime(() => {
    const http = createClient({ fetch: scriptedFetch(script, values), retry: policies.upload, ...client });
    timeline(ask(http), { label, deadline }).subscribe((t) => timelines.push(t));
  });
  const [first] = timelines;
  if (!first || timelines.length > 1) throw new Error(`${timelines.length} timelines were emitted`);
  return first;
}
