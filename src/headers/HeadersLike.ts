/** Anything that reads a header field by its name, as `Headers` does: the values of a repeated field arrive joined by `, `. */
export interface HeadersLike {
  /** The field's value, `null` if it is missing; `name` in any case. */
  get(name: string): string | null;
  /** Names of all fields. Fields whose names a server makes up, such as `Retry-After-NAME`, are found only where there is this. */
  keys?(): Iterable<string>;
}
