/** One link of a `Link` field. */
export interface Link {
  /** Target of the link; absolute if a base was given. */
  readonly target: string;
  /** Relations of the link (`next`, `last`, ...) in lower case, since they compare case-insensitively; at least one. */
  readonly rels: readonly string[];
  /**
   * All parameters of the link, by lower-case name, `rel` included; the first of each name counts. A link with an `anchor` is about that
   * anchor, not about this response.
   */
  readonly parameters: ReadonlyMap<string, string>;
}

// Sticky expressions only read forward. The text behind a loop always matches, or the loop's end is a character of its own: nothing
// backtracks.
const SEPARATORS = /[ \t,]*/y;
const TARGET = /<([^<>]*)>/y;
const PARAMETER = /[ \t]*;[ \t]*(?:([\w!#$%&'*+.^`|~-]+)[ \t]*(?:=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",;<>]*)))?)?/y;
const END = /[ \t]*(?:,|$)/y;
const JUNK = /(?:"(?:[^"\\]|\\.)*"?|[^,"])*,?/y;

/**
 * Reads a `Link` field (RFC 8288 section 3): several links, several relations in one, commas and semicolons inside `<>` and quotes.
 *
 *     parseLinkHeader('</p/2>; rel="next", </p/9>; rel=last', 'https://api.example/p/1')
 *     // [{ target: 'https://api.example/p/2', rels: ['next'], ... }, { target: 'https://api.example/p/9', rels: ['last'], ... }]
 *
 * Links that are malformed, have no relation, or whose target is no URL are left out; the others count. Time is linear in the length.
 *
 * @param base resolves relative targets: the URL of the response
 */
export function parseLinkHeader(value: string | null | undefined, base?: string): readonly Link[] {
  const links: Link[] = [];
  if (value == null) return links;
  let position = 0;
  const read = (grammar: RegExp): RegExpExecArray | null => {
    grammar.lastIndex = position;
    const match = grammar.exec(value);
    if (match !== null) position = grammar.lastIndex;
    return match;
  };
  while (position < value.length) {
    read(SEPARATORS);
    const reference = read(TARGET)?.[1];
    if (reference !== undefined) {
      const parameters = new Map<string, string>();
      for (let match = read(PARAMETER); match !== null; match = read(PARAMETER)) {
        const [, name, quoted, token = ''] = match;
        const key = name?.toLowerCase();
        if (key !== undefined && !parameters.has(key)) parameters.set(key, quoted?.replace(/\\(.)/g, '$1') ?? token);
      }
      const rels = parameters.get('rel')?.toLowerCase().match(/\S+/g);
      const target = rels == null ? undefined : resolved(reference, base);
      if (target !== undefined && rels != null) links.push({ target, rels, parameters });
    }
    if (read(END) === null) read(JUNK);
  }
  return links;
}

function resolved(reference: string, base: string | undefined): string | undefined {
  if (base === undefined) return reference;
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}
