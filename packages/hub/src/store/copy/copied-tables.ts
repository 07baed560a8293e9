/** How a column is kept; bytes travel as hexadecimal text. */
export type ColumnType = 'text' | 'number' | 'bytes';

/** A table that both databases have, with the columns that go along. */
export interface CopiedTable {
  name: string;
  /** Rows are read in the order of these columns, which tell them apart. */
  key: readonly string[];
  /** Other columns that tell rows apart: a row whose values differ is another one under the same key. */
  identity: readonly string[];
  columns: Readonly<Record<string, ColumnType>>;
}

/** A row of a {@link CopiedTable}. */
export type CopiedRow = Readonly<Record<string, string | number | null>>;

function table(
  name: string,
  key: readonly string[],
  identity: readonly string[],
  columns: Partial<Record<ColumnType, readonly string[]>>,
): CopiedTable {
  const typed = Object.entries(columns).flatMap(([type, names]) => names.map((column) => [column, type]));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.entries` forgets the type of its keys
  return { name, key, identity, columns: Object.fromEntries(typed) as Record<string, ColumnType> };
}

/** Sessions without their entries, which are copied as runs. */
export const SESSION = table('session', ['number'], ['id', 'created_at'], {
  number: ['number', 'created_at', 'updated_at', 'generation', 'position', 'trimmed', 'link_count'],
  text: ['id', 'state', 'facts', 'link_epoch'],
});

/** All other tables that are copied, each behind those that it refers to. */
export const TABLES: readonly CopiedTable[] = [
  table('removed_session', ['position'], [], { number: ['position'], text: ['session'] }),
  table('prompt', ['number'], ['id', 'session', 'client_id'], {
    number: ['number', 'admitted_at', 'place'],
    text: ['id', 'session', 'client_id', 'author', 'content', 'delivery', 'state', 'sent'],
  }),
  table('permission', ['number'], ['session', 'request_id'], {
    number: ['number', 'opened_at', 'closed_at', 'is_delivered'],
    text: ['session', 'request_id', 'request', 'parent', 'state', 'answer'],
  }),
  table('audit', ['id'], [], {
    number: ['id', 'time'],
    text: ['session', 'subject', 'author', 'what', 'why'],
  }),
  table('device', ['number'], ['id'], {
    number: ['number', 'created_at', 'last_seen_at', 'revoked_at'],
    text: ['id', 'grants'],
    bytes: ['token_hash'],
  }),
  table('sign_in_link', ['id'], [], { number: ['expires_at'], text: ['id', 'grants'], bytes: ['hash'] }),
  table('kept_answer', ['principal', 'key'], [], {
    number: ['status', 'expires_at', 'begun_at'],
    text: ['principal', 'key', 'fingerprint', 'body', 'made'],
  }),
  table('launch', ['session'], [], { text: ['session', 'spec', 'device'] }),
  table('loop', ['number'], ['id'], { number: ['number'], text: ['id', 'state', 'facts'] }),
  table('loop_iteration', ['loop', 'number'], [], { number: ['number'], text: ['loop', 'facts'] }),
  table('comment', ['number'], ['id'], { number: ['number'], text: ['id', 'session', 'facts'] }),
  table('rule', ['number'], ['id'], { number: ['number'], text: ['id', 'session', 'facts'] }),
  table('spend', ['day', 'session', 'folder', 'model', 'person'], [], {
    number: ['usd', 'input', 'output', 'cache_write', 'cache_read', 'turns'],
    text: ['day', 'session', 'folder', 'model', 'person'],
  }),
  table('spend_meter', ['session'], [], { text: ['session', 'meter'] }),
  table('budget', ['number'], ['id'], { number: ['number'], text: ['id', 'session', 'facts'] }),
  table('notice_target', ['number'], ['id'], {
    number: ['number'],
    text: ['id', 'session', 'push', 'facts'],
  }),
  table('notice', ['number'], ['id', 'session', 'cause'], {
    number: ['number', 'created_at'],
    text: ['id', 'session', 'cause', 'kind', 'request_id', 'title', 'body'],
  }),
  table('notice_delivery', ['number'], ['id'], {
    number: ['number', 'notice', 'attempts', 'since', 'next_at', 'changed_at'],
    text: ['id', 'target', 'state', 'outcome'],
  }),
  table('capability', ['id'], [], {
    number: ['expires_at'],
    text: ['id', 'hash', 'session', 'request_id', 'digest', 'target', 'notice'],
  }),
];

/** The values of a row in the order of some columns. */
export function valuesOf(row: CopiedRow, columns: readonly string[]): (string | number | null)[] {
  return columns.map((column) => row[column] ?? null);
}

/** The order of two rows by their key: numbers as such, texts by their bytes in UTF-8. */
export function compareKeys({ key }: CopiedTable, one: CopiedRow, other: CopiedRow): number {
  for (const column of key) {
    const [left, right] = [one[column] ?? null, other[column] ?? null];
    if (left === right) continue;
    if (typeof left === 'number' && typeof right === 'number') return left - right;
    return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
  }
  return 0;
}
