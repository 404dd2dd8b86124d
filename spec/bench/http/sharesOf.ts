/** The part of a profile of V8 that is read here. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Node of each sample, by its id. */
  readonly samples?: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas?: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

const OTHER = 'the rest';

/** Groups by the URL of a script. */
const BY_URL: readonly (readonly [url: RegExp, group: string])[] = [
  [/^node:internal\/deps\/undici|\/node_modules\/undici\/|^wasm:/, '`fetch` and undici'],
  [/^node:/, 'Node: streams, events, timers'],
  [/\/node_modules\/rxjs\//, 'rxjs'],
];
/** Groups by the name that V8 gives to time in no script. */
const BY_NAME: Readonly<Record<string, string>> = { '(garbage collector)': 'garbage collection', '(program)': 'the engine' };

/** Rooms of coldfetch, in its build. */
const ROOM = /\/dist\/(\w+)/;

/**
 * Shares of self time by the owner of the code: `fetch`, Node, rxjs, each room of coldfetch, garbage collection. What is built into the engine
 * (`JSON.parse`) counts for its caller, and idle time not at all.
 */
export function sharesOf({ nodes, samples = [], timeDeltas = [] }: CpuProfile): Record<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const callers = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)));
  const groupOf = (node: ProfileNode | undefined): string => {
    if (!node) return OTHER;
    const { functionName, url } = node.callFrame;
    if (url === '') return BY_NAME[functionName] ?? groupOf(callers.get(node.id));
    const known = BY_URL.find(([pattern]) => pattern.test(url))?.[1];
    const room = ROOM.exec(url)?.[1];
    return known ?? (room === undefined ? OTHER : `coldfetch: ${room}`);
  };
  const times: Record<string, number> = {};
  samples.forEach((id, index) => {
    const node = byId.get(id);
    if (node?.callFrame.functionName === '(idle)') return;
    const group = groupOf(node);
    times[group] = (times[group] ?? 0) + (timeDeltas[index] ?? 0);
  });
  const total = Object.values(times).reduce((sum, time) => sum + time, 0);
  return Object.fromEntries(Object.entries(times).map(([group, time]) => [group, time / total]));
}
