/** An image on disk that is to be part of a build. */
export interface Screenshot {
  /** Path of the file. */
  readonly path: string;
  /** Name in the build, unique there: the path below the folder, with `/` on every system. */
  readonly name: string;
  /** Media type. */
  readonly contentType: string;
  /** How different it may be, from 0 (not at all) to 1; the project's own by default. */
  readonly threshold?: number | undefined;
  /** Facts to be shown with it: URL, viewport, test, ... */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Names under which to look for its baseline, the first that is there; its own by default. */
  readonly baseName?: string | readonly string[] | undefined;
  /** Name of the screenshot that it is a variant of. */
  readonly parentName?: string | undefined;
}
