/** An image on disk that is to be part of a build. */
export interface Screenshot {
  /** Path of the file. */
  readonly path: string;
  /** Name in the build, unique there: the path below the folder, with `/` on every system. */
  readonly name: string;
  /** Media type. */
  readonly contentType: string;
}
