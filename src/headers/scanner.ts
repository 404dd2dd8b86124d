/** Reads a text from left to right. */
export interface Scanner {
  /** The match of a sticky grammar where the reading stands, which goes on behind it; null where there is none. */
  readonly read: (grammar: RegExp) => RegExpExecArray | null;
  /** Whether all has been read. */
  readonly atEnd: () => boolean;
}

export function scanner(text: string): Scanner {
  let position = 0;
  return {
    read: (grammar) => {
      grammar.lastIndex = position;
      const match = grammar.exec(text);
      if (match !== null) position = grammar.lastIndex;
      return match;
    },
    atEnd: () => position >= text.length,
  };
}
