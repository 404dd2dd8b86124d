import { type InstalledPackage, installedPackage } from '../../files/installedPackage.js';
import { isMissing, rethrow } from '../../files/isMissing.js';
import { UsageError } from '../../request/errors/UsageError.js';
import { messageOf } from '../../request/networkError.js';
import { type Dispatcher, isDispatcher } from './Dispatcher.js';

/** Import of the package, and the lookup of what is installed; specs replace them. */
export interface UndiciSource {
  readonly load: () => Promise<{ readonly getGlobalDispatcher: () => unknown }>;
  readonly installed: () => InstalledPackage | undefined;
}

/** The oldest major version that works. */
const OLDEST = 6;

/** The newest version that loads on every Node which coldfetch supports. */
const REMEDY = 'npm install undici@7';

const BUNDLE_REMEDY = 'Leave undici out of the bundle (external), or define require by createRequire(import.meta.url) in a banner';

export const UNDICI: UndiciSource = {
  load: () => import('undici').catch(rethrow),
  installed: () => installedPackage('undici'),
};

/**
 * Refuses an undici that is too old. One that is not found passes: a bundle may contain it.
 *
 * @throws UsageError that says which version is installed and which to install
 */
export function requireUndici({ installed }: Pick<UndiciSource, 'installed'>): void {
  const found = installed();
  if (!found || !(Number.parseInt(found.version) < OLDEST)) return;
  throw new UsageError(`coldfetch/undici needs undici ${OLDEST} or later, and ${placed(found)} is installed: ${REMEDY}`);
}

/**
 * Imports undici. Gives its global dispatcher, looked up each time.
 *
 * @throws UsageError where it is missing, does not load, or has no dispatchers
 */
export async function loadUndici(source: UndiciSource): Promise<() => Dispatcher> {
  const { getGlobalDispatcher } = await source.load().catch((cause: unknown) => {
    throw notLoaded(source.installed(), cause);
  });
  if (!isDispatcher(getGlobalDispatcher())) {
    // Bun has a package of its own in undici's place.
    throw new UsageError(
      "coldfetch/undici: this platform has no dispatchers, not even in Bun's own undici; leave the option transport out",
    );
  }
  return getGlobalDispatcher as () => Dispatcher;
}

function notLoaded(found: InstalledPackage | undefined, cause: unknown): unknown {
  if (messageOf(cause).includes('Dynamic require of')) {
    return new UsageError(`coldfetch/undici: undici does not load from this bundle: ${messageOf(cause)}. ${BUNDLE_REMEDY}`, { cause });
  }
  if (found) {
    const asked = found.node === undefined ? '' : `, and asks for ${found.node}`;
    return new UsageError(`coldfetch/undici: ${placed(found)} does not load on Node ${process.version}${asked}: ${REMEDY}`, { cause });
  }
  if (!isMissing(cause)) return cause;
  return new UsageError(`coldfetch/undici needs the package undici, which is not installed: ${REMEDY}`, { cause });
}

function placed({ version, folder }: InstalledPackage): string {
  return `undici ${version} (${folder})`;
}
