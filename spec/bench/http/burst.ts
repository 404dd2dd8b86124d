/** Sends a burst through express-rate-limit by every tool, one tool after the other, and prints what came of it as JSON. */
import { createClient } from 'coldfetch';
import { undici } from 'coldfetch/undici';
import { firstValueFrom } from 'rxjs';
import { peer } from './peers.js';
import { BURST, type Origins } from './settings.js';

/** Outcome of a burst. */
export interface BurstOutcome {
  /** Requests that got their answer in the end. */
  readonly completed: number;
  /** Requests that arrived, refused ones included. */
  readonly sent: number;
  /** Requests that were refused with a 429. */
  readonly refused: number;
  /** Requests that came again before the time that their own refusal had named. */
  readonly early: number;
  /** Time of the last answer as a multiple of the shortest possible. */
  readonly end: number;
}

const { limited } = JSON.parse(process.argv[2] ?? '{}') as Origins;
/** Most retries of each request, for the tools that count them. */
const RETRIES = 10;

type Tool = (url: string) => Promise<unknown>;

async function tools(): Promise<Record<string, Tool>> {
  const http = createClient();
  const byUndici = createClient({ transport: undici() });
  const [ky, got, axios, axiosRetry] = [await peer('ky'), await peer('got'), await peer('axios'), await peer('axios-retry')];
  const [core, throttling, bottleneck] = [await peer('@octokit/core'), await peer('@octokit/plugin-throttling'), await peer('bottleneck')];
  const all: Record<string, Tool> = {
    'http.get as it comes': (url) => firstValueFrom(http.get(url)),
    'http.get on coldfetch/undici': (url) => firstValueFrom(byUndici.get(url)),
  };
  if (ky) all.ky = (url) => ky.default(url, { retry: { limit: RETRIES }, timeout: false }).json();
  if (got) all.got = (url) => got.default(url, { retry: { limit: RETRIES } }).json();
  if (axios && axiosRetry) {
    const instance = axios.default.create();
    axiosRetry.default(instance, { retries: RETRIES, retryDelay: axiosRetry.default.exponentialDelay });
    all['axios-retry'] = (url) => instance.request({ url });
  }
  if (core && throttling) {
    const again = (_after: number, _options: object, _octokit: object, retries: number): boolean => retries < RETRIES;
    const Octokit = core.Octokit.plugin(throttling.throttling);
    const octokit = new Octokit({
      throttle: { onRateLimit: again, onSecondaryRateLimit: again },
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
    all['@octokit/plugin-throttling'] = (url) => octokit.request(`GET ${url}`);
  }
  if (bottleneck) {
    const { limit, windowMs } = BURST;
    // Limiters that learn nothing from responses have to be told the limit.
    const queue = new bottleneck.default({ reservoir: limit, reservoirRefreshAmount: limit, reservoirRefreshInterval: windowMs });
    all['bottleneck, told the limit'] = (url) =>
      queue.schedule(async () => {
        const { status } = await fetch(url);
        if (status !== 200) throw new Error(`status ${status}`);
      });
  }
  return all;
}

async function burst(key: string, tool: Tool): Promise<BurstOutcome> {
  const began = performance.now();
  const answered = Array.from({ length: BURST.requests }, (_, n) => tool(`${limited}/burst?key=${encodeURIComponent(key)}&n=${n}`));
  const settled = await Promise.allSettled(answered);
  const took = performance.now() - began;
  const optimum = (Math.ceil(BURST.requests / BURST.limit) - 1) * BURST.windowMs;
  const seen = (await (await fetch(`${limited}/burst/seen?key=${encodeURIComponent(key)}`)).json()) as Omit<
    BurstOutcome,
    'completed' | 'end'
  >;
  return { completed: settled.filter(({ status }) => status === 'fulfilled').length, ...seen, end: took / optimum };
}

const outcomes: Record<string, BurstOutcome> = {};
for (const [name, tool] of Object.entries(await tools())) outcomes[name] = await burst(name, tool);
process.stdout.write(JSON.stringify(outcomes), () => process.exit());
