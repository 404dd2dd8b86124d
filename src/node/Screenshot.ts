/** An image on disk that is to be part of a build. */
export interface Screenshot {
  /** Where it is. */
  readonly path: string;
  /** What it is called in the build, unique there: its path below the folder, with `/` on every system. */
  readonly name: string;
  /** Its media type. */
  readonly contentType: string;
}
