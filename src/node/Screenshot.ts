/** An image on disk that is to be part of a build. */
export interface Screenshot {
  /** Path of the file. */
  readonly path: string;
  /** Name in the build, unique there: the path below the folder, with `/` on every system. */
  readonly name: string;
  /** Media type. */
  readonly contentType: string;
  /** Tolerated difference from the baseline, from 0 (none) to 1; the project's own by default. */
  readonly threshold?: number | undefined;
  /** Facts to be shown with the screenshot: URL, viewport, test, ... */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Names under which to look for the baseline, the first one found counts; the screenshot's own by default. */
  readonly baseName?: string | readonly string[] | undefined;
  /** Name of the screenshot that this one is a variant of. */
  readonly parentName?: string | undefined;
}
