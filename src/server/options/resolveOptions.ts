import { UsageError } from '../../request/errors/UsageError.js';
import type { ServerCors, ServerFault, ServerLimit, ServerOptions, Signing } from './ServerOptions.js';

/** The options of a server, checked and complete. */
export interface ResolvedOptions {
  readonly host: string;
  readonly port: number;
  readonly folder: string | undefined;
  readonly token: string | undefined;
  readonly limit: Required<ServerLimit> | false;
  readonly flaky: ResolvedFault | undefined;
  readonly cors: ResolvedCors | undefined;
  readonly expiresIn: (signing: Signing) => number;
  readonly hasRemoteContentAccess: boolean;
}

/** {@link ServerCors}, complete. */
export type ResolvedCors = Required<ServerCors>;

/** {@link ServerFault}, complete. */
export interface ResolvedFault {
  readonly routes: readonly string[];
  readonly failures: number;
  readonly status: number;
  readonly retryAfter: number | undefined;
}

const KNOWN = {
  options: ['host', 'port', 'folder', 'token', 'limit', 'flaky', 'cors', 'expiresIn', 'hasRemoteContentAccess'],
  limit: ['requests', 'windowMs', 'routes', 'announced'],
  flaky: ['routes', 'failures', 'status', 'retryAfter'],
  cors: ['origins', 'exposed'],
} as const;

/** Header fields by which clients wait, validate and page. */
const EXPOSED: readonly string[] = ['Retry-After', 'RateLimit', 'RateLimit-Policy', 'ETag', 'Link', 'Location', 'Date'];

const LONGEST_TIMER = 2_147_483_647;

/** Checks `options` and fills in the defaults. @throws UsageError that names the option, its value and the remedy */
export function resolveOptions(options: ServerOptions): ResolvedOptions {
  onlyKnown(options, 'options');
  const { hasRemoteContentAccess = true } = options;
  if (typeof hasRemoteContentAccess !== 'boolean') throw wrong('hasRemoteContentAccess', hasRemoteContentAccess, 'true or false');
  return {
    host: text('host', options.host) ?? '127.0.0.1',
    port: whole('port', options.port, 0, 65_535) ?? 0,
    folder: text('folder', options.folder),
    token: text('token', options.token),
    limit: resolveLimit(options.limit),
    flaky: options.flaky === undefined ? undefined : resolveFault(options.flaky),
    cors: resolveCors(options.cors),
    expiresIn: resolveExpiry(options.expiresIn),
    hasRemoteContentAccess,
  };
}

function resolveLimit(limit: ServerLimit | false | undefined): Required<ServerLimit> | false {
  if (limit === undefined || limit === false) return false;
  onlyKnown(limit, 'limit');
  const routes: string = limit.routes ?? 'api';
  if (routes !== 'api' && routes !== 'all') throw wrong('limit.routes', routes, "'api' or 'all'");
  const { announced = true } = limit;
  if (typeof announced !== 'boolean') throw wrong('limit.announced', announced, 'true or false');
  return {
    requests: whole('limit.requests', limit.requests, 1, Number.MAX_SAFE_INTEGER) ?? 500,
    windowMs: whole('limit.windowMs', limit.windowMs, 1, LONGEST_TIMER) ?? 300_000,
    routes,
    announced,
  };
}

function resolveFault(flaky: string | readonly string[] | ServerFault): ResolvedFault {
  const fault: ServerFault = typeof flaky === 'string' || isList(flaky) ? { routes: flaky } : flaky;
  onlyKnown(fault, 'flaky');
  const routes = typeof fault.routes === 'string' ? [fault.routes] : fault.routes;
  if (!Array.isArray(routes)) throw wrong('flaky.routes', routes, "a route such as 'POST /storage/*', or a list of them");
  for (const route of routes) {
    const known = typeof route === 'string' && /^(\*|([A-Z]+ )?\/\S*)$/.test(route);
    if (!known) throw wrong('flaky.routes', route, "a route such as '*', '/v2/builds' or 'POST /storage/*'");
  }
  return {
    routes,
    failures: whole('flaky.failures', fault.failures, 0, Number.MAX_SAFE_INTEGER) ?? 2,
    status: faultStatus(fault.status),
    retryAfter: whole('flaky.retryAfter', fault.retryAfter, 0, Number.MAX_SAFE_INTEGER),
  };
}

function faultStatus(status: unknown): number {
  if (status === undefined) return 503;
  const isFault = typeof status === 'number' && Number.isInteger(status) && (status === 429 || (status >= 500 && status <= 599));
  if (!isFault) throw wrong('flaky.status', status, '429, or a whole number, 500 to 599');
  return status;
}

function resolveCors(cors: boolean | ServerCors | undefined): ResolvedCors | undefined {
  if (cors === undefined || cors === false) return undefined;
  const given = cors === true ? {} : cors;
  onlyKnown(given, 'cors');
  const { origins = '*', exposed = EXPOSED } = given;
  if (origins !== '*' && !(isList(origins) && origins.every(isOrigin))) {
    throw wrong('cors.origins', origins, "'*', or a list of origins such as 'https://app.example.com'");
  }
  if (!isList(exposed) || !exposed.every(isFieldName)) throw wrong('cors.exposed', exposed, 'a list of header field names');
  return { origins, exposed };
}

function isOrigin(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && new URL(value).origin === value;
}

function isFieldName(value: unknown): boolean {
  return typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value);
}

function resolveExpiry(expiresIn: ServerOptions['expiresIn']): (signing: Signing) => number {
  if (typeof expiresIn === 'function') return expiresIn;
  const ms = whole('expiresIn', expiresIn, 0, Number.MAX_SAFE_INTEGER) ?? 1_800_000;
  return () => ms;
}

function onlyKnown(value: unknown, name: keyof typeof KNOWN): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(name, value, 'an object of options');
  const known: readonly string[] = KNOWN[name];
  for (const key of Object.keys(value)) {
    if (!known.includes(key))
      throw new UsageError(`startServer: ${name === 'options' ? key : `${name}.${key}`} is unknown; there are ${known.join(', ')}`);
  }
}

function text(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || value.trim() === '') throw wrong(name, value, 'a string that is not empty');
  return value;
}

function whole(name: string, value: unknown, least: number, most: number): number | undefined {
  if (value === undefined) return undefined;
  const bounds = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    throw wrong(name, value, `a whole number, ${bounds}`);
  }
  return value;
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}

function wrong(name: string, value: unknown, allowed: string): UsageError {
  // A token is never echoed: messages end up in logs.
  const shown = name === 'token' ? 'not usable' : typeof value === 'string' ? `'${value}'` : String(value);
  return new UsageError(`startServer: ${name} is ${shown}; give ${allowed}`);
}
