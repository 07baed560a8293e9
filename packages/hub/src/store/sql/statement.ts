/** What a query takes. Anything else, undefined above all, ends the process inside of the driver of SQLite. */
export type SqlValue = string | number | null | Uint8Array;

/** Where the databases that the store runs on differ in what a query says. */
export interface Dialect {
  /** Whether the column is one of the texts of a parameter, which is a list of them as JSON. */
  isOneOf(column: string): string;
  /** The text (or else the JSON) at a key of a column of JSON; null where that cannot be read. */
  textAt(column: string, key: string): string;
  /** The greater of two numbers. */
  greater(one: string, other: string): string;
}

/** A query on its way to the database. */
export interface Step {
  statement: Statement<unknown>;
  kind: 'run' | 'get' | 'all';
  values: readonly SqlValue[];
}

/**
 * Work on a database, query by query: SQLite answers each at once, on its thread, and PostgreSQL when the answer has come. So
 * the rules of the store are written once for both.
 */
export type Steps<Result> = Generator<Step, Result, unknown>;

/** A query, prepared by the database when it first needs it; its rows have the columns that it names. */
export class Statement<Row> {
  /** What it says in a dialect. */
  readonly textIn: (dialect: Dialect) => string;

  constructor(text: string | ((dialect: Dialect) => string)) {
    this.textIn = typeof text === 'string' ? () => text : text;
  }

  /** Gives the number of rows that it changed. */
  *run(values: readonly SqlValue[] = []): Steps<number> {
    return Number(yield { statement: this, kind: 'run', values });
  }

  *get(values: readonly SqlValue[] = []): Steps<Row | undefined> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whoever writes a query says what its rows are
    return (yield { statement: this, kind: 'get', values }) as Row | undefined;
  }

  /** Not for blobs, which the driver of SQLite gives in another shape here. */
  *all(values: readonly SqlValue[] = []): Steps<Row[]> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    return (yield { statement: this, kind: 'all', values }) as Row[];
  }
}

/** Work that needs no query. */
// oxlint-disable-next-line require-yield -- that is what it is for
export function* atOnce<Result>(work: () => Result): Steps<Result> {
  return work();
}

/** Whether the method of a part has given work that is to be done step by step. */
export function isSteps(value: unknown): value is Steps<unknown> {
  return typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function';
}
