import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../files/makeFolder.js';
import { UsageError } from '../../request/errors/UsageError.js';
import type { StoredBuild } from './StoredBuild.js';

/** The builds: in memory, and each as a readable file `builds/ID.json`, so that they outlive a restart. */
export class BuildStore {
  readonly #folder: string;
  readonly #builds = new Map<string, StoredBuild>();
  #saved: Promise<void> = Promise.resolve();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Opens `folder/builds`. @throws UsageError that names a file there which is not a build */
  static async open(folder: string): Promise<BuildStore> {
    const store = new BuildStore(join(folder, 'builds'));
    makeFolder(store.#folder);
    const names = (await readdir(store.#folder)).filter((name) => /^\d+\.json$/.test(name));
    for (const name of names.sort((a, b) => parseInt(a, 10) - parseInt(b, 10))) {
      const build = await readBuild(join(store.#folder, name));
      store.#builds.set(build.id, build);
    }
    return store;
  }

  /** All builds, oldest first. */
  get all(): readonly StoredBuild[] {
    return [...this.#builds.values()];
  }

  /** The build of that id. */
  find(id: string): StoredBuild | undefined {
    return this.#builds.get(id);
  }

  /** Creates a build, under the next number. */
  create(build: Omit<StoredBuild, 'id' | 'number'>): Promise<StoredBuild> {
    const number = (this.all.at(-1)?.number ?? 0) + 1;
    return this.replace({ id: String(number), number, ...build });
  }

  /** Puts `build` in the place of the one with its id: in memory at once, so that requests in between see it, then on disk. */
  async replace(build: StoredBuild): Promise<StoredBuild> {
    this.#builds.set(build.id, build);
    const previous = this.#saved;
    const saving = previous.then(() => this.#save(build));
    this.#saved = saving.catch(() => undefined);
    await saving;
    return build;
  }

  /** Resolves when all builds are on disk. */
  settled(): Promise<void> {
    return this.#saved;
  }

  async #save(build: StoredBuild): Promise<void> {
    const path = join(this.#folder, `${build.id}.json`);
    await writeFile(`${path}.part`, JSON.stringify(build, undefined, 2));
    await rename(`${path}.part`, path);
  }
}

async function readBuild(path: string): Promise<StoredBuild> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as StoredBuild;
  } catch (cause) {
    throw new UsageError(`${path} is not a build this server wrote; remove it or choose another folder`, { cause });
  }
}
