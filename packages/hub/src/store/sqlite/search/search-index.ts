import { messageOf } from '@signalbox/protocol';
import type { OutlinePart, SearchQuery } from '@signalbox/protocol/hub';
import type { FoundPage } from '../../search.ts';
import type { Database } from '../database.ts';
import { IndexReader } from './index-reader.ts';
import { isDamage, openIndex, removeIndex } from './index-schema.ts';
import { IndexWriter } from './index-writer.ts';

interface Parts {
  database: Database;
  writer: IndexWriter;
  reader: IndexReader;
}

/** The index of what was said, in a file of its own: all that it has is in the record, so a damaged one is made anew. */
export class SearchIndex {
  readonly #file: string;
  readonly #onDamaged: (why: string) => void;
  #parts: Parts;

  /** `onDamaged` hears why the index is made anew. */
  constructor(file: string, onDamaged: (why: string) => void) {
    this.#file = file;
    this.#onDamaged = onDamaged;
    try {
      this.#parts = open(file);
    } catch (error) {
      if (!isDamage(error)) throw error;
      onDamaged(messageOf(error));
      removeIndex(file);
      this.#parts = open(file);
    }
  }

  find(query: SearchQuery): Omit<FoundPage, 'isComplete'> {
    return this.#parts.reader.find(query);
  }

  outline(session: string): OutlinePart[] {
    return this.#parts.reader.outline(session);
  }

  get writer(): IndexWriter {
    return this.#parts.writer;
  }

  /** Begin anew if an error means that the index is damaged; says whether it does. */
  mend(error: unknown): boolean {
    if (!isDamage(error)) return false;
    this.#onDamaged(messageOf(error));
    this.close();
    removeIndex(this.#file);
    this.#parts = open(this.#file);
    return true;
  }

  close(): void {
    this.#parts.database.close();
  }
}

function open(file: string): Parts {
  const database = openIndex(file);
  return { database, writer: new IndexWriter(database), reader: new IndexReader(database) };
}
