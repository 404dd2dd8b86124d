import { load } from '../peers/load.mjs';

/** The parts of the peers that are used here. They are installed on demand, so their own types are not at hand. */
export interface Peers {
  readonly ky: { readonly default: (url: string, options?: object) => { json(): Promise<unknown> } };
  readonly got: { readonly default: (url: string, options?: object) => { json(): Promise<unknown> } };
  readonly axios: { readonly default: Axios };
  readonly 'axios-retry': { readonly default: AxiosRetry };
  readonly ofetch: { readonly ofetch: (url: string, options?: object) => Promise<unknown> };
  readonly 'p-retry': { readonly default: <T>(attempt: () => Promise<T>) => Promise<T> };
  readonly '@octokit/core': { readonly Octokit: { plugin(plugin: unknown): new (options: object) => Octokit } };
  readonly '@octokit/plugin-throttling': { readonly throttling: unknown };
  readonly bottleneck: { readonly default: new (options: object) => { schedule<T>(job: () => Promise<T>): Promise<T> } };
  readonly '@argos-ci/core': { readonly upload: (options: object) => Promise<unknown> };
}

interface Axios {
  create(options?: object): Axios;
  request(options: object): Promise<{ readonly data: unknown }>;
}

interface AxiosRetry {
  (axios: Axios, options: object): void;
  readonly exponentialDelay: unknown;
}

interface Octokit {
  request(route: string, options?: object): Promise<unknown>;
}

/** Imports a peer; undefined where this Node is too old for it, with a word about that on stderr. */
export async function peer<Name extends keyof Peers>(name: Name): Promise<Peers[Name] | undefined> {
  try {
    return (await load(name)) as Peers[Name];
  } catch (error) {
    console.error(`${name} does not load on Node ${process.version}: ${String(error)}`);
    return undefined;
  }
}
