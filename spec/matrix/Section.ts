/** A table of the matrix. */
export interface Section {
  /** Name by which it is selected, and by which its table stands in the guide. */
  readonly name: string;
  /** Headings of the columns, the first one included. */
  readonly columns: readonly string[];
  /** Runs once before the rows, if one of them is selected. */
  readonly prepare?: (packed: Packed) => Promise<unknown>;
  readonly rows: readonly Row[];
}

/** One line of a table. */
export interface Row {
  readonly title: string;
  /** Tries what the line is about. */
  readonly run: (packed: Packed) => Promise<RowResult>;
}

/** The package that is tried. */
export interface Packed {
  readonly tarball: string;
}

/** Cells of a line behind its title, and what did not hold. */
export interface RowResult {
  readonly cells: readonly string[];
  readonly failures: readonly string[];
}
