/** Anything that reads a header field by its name, as `Headers` does: the values of a repeated field arrive joined by `, `. */
export interface HeadersLike {
  /** The field's value, `null` if it is missing; `name` in any case. */
  get(name: string): string | null;
}
