import type { LinkPosition } from '@signalbox/transport';
import { Run } from '../sql/run.ts';

/** Recent runs of a session are joined in memory when there are this many. */
const JOIN_RUNS = 64;

/** What is stored of a session beside its recent lines. */
export interface StoredSession {
  id: string;
  number: number;
  generation: number;
  /** The number of the last entry that is in a block. */
  settled: number;
  /** The number of the last entry that was taken away. */
  trimmed: number;
  position: LinkPosition | undefined;
  /** The position of its last update, among those of all sessions. */
  updated: number;
}

/** A session in use: what of its record is not in a block yet, and how far its link has got. */
export class OpenSession {
  readonly id: string;
  readonly number: number;
  /** The latest generation that has committed to it. */
  generation: number;
  /** The position of its last update, among those of all sessions. */
  updated: number;
  /** The number of the last entry that was taken away, with all before it. */
  trimmed: number;
  /** The number of the last entry that is in a block. */
  #settled: number;
  #position: LinkPosition | undefined;
  /** Stored as they came, in the order of their entries. */
  #recent: Run[] = [];
  /** To be stored by the commit that is being made. */
  #staged: Run[] = [];
  #bytes = 0;
  /** The first row of `recent` that is still needed for it; 0 when none is. */
  #oldestRow = 0;

  constructor({ id, number, generation, settled, trimmed, position, updated }: StoredSession) {
    this.id = id;
    this.updated = updated;
    this.number = number;
    this.generation = generation;
    this.trimmed = trimmed;
    this.#settled = settled;
    this.#position = position;
  }

  get settled(): number {
    return this.#settled;
  }

  get position(): LinkPosition | undefined {
    return this.#position;
  }

  /** The number of its newest entry. */
  get last(): number {
    return (this.#staged.at(-1) ?? this.#recent.at(-1))?.last ?? this.#settled;
  }

  /** All that is not in a block. */
  get runs(): readonly Run[] {
    return this.#staged.length === 0 ? this.#recent : [...this.#recent, ...this.#staged];
  }

  /** What these runs take. */
  get bytes(): number {
    return this.#bytes;
  }

  get oldestRow(): number {
    return this.#oldestRow;
  }

  /** Before a commit changes it; gives what puts it back, should that fail. */
  remember(): () => void {
    const { generation, updated, trimmed } = this;
    const [settled, position, bytes, oldestRow] = [
      this.#settled,
      this.#position,
      this.#bytes,
      this.#oldestRow,
    ];
    // Runs are only added, or replaced as a whole by what they are joined to.
    const recent = this.#recent;
    const count = recent.length;
    return () => {
      this.generation = generation;
      this.updated = updated;
      this.trimmed = trimmed;
      this.#settled = settled;
      this.#position = position;
      this.#bytes = bytes;
      this.#oldestRow = oldestRow;
      this.#staged = [];
      recent.length = count;
      this.#recent = recent;
    };
  }

  /** Take lines, a position or both into the commit that is being made. */
  stage(runs: readonly Run[], position: LinkPosition | undefined): void {
    for (const run of runs) {
      this.#staged.push(run);
      this.#bytes += run.body.length;
    }
    this.#position = position ?? this.#position;
  }

  /** What was staged, as the one run that is stored in a row; empty when it was only a position. */
  takeStaged(row: number): Run {
    const run =
      this.#staged.length === 0 ? new Run(this.last + 1, 0, new Uint8Array()) : Run.join(this.#staged);
    this.#staged = [];
    this.#addRecent(row, run);
    return run;
  }

  /** What is found stored when the session is opened. */
  restore(row: number, run: Run, position: LinkPosition | undefined): void {
    this.#position = position ?? this.#position;
    this.#bytes += run.body.length;
    this.#addRecent(row, run);
  }

  /** All that is not in a block, to be put into blocks. */
  settle(): readonly Run[] {
    const { runs, last } = this;
    this.#settled = last;
    this.#recent = [];
    this.#staged = [];
    this.#bytes = 0;
    this.#oldestRow = 0;
    return runs;
  }

  #addRecent(row: number, run: Run): void {
    this.#oldestRow ||= row;
    if (run.count === 0) return;
    this.updated = Math.max(this.updated, row);
    this.#recent.push(run);
    // A damaged run cannot be joined: where its lines are is not known.
    if (this.#recent.length >= JOIN_RUNS && this.#recent.every(({ isIntact }) => isIntact)) {
      this.#recent = [Run.join(this.#recent)];
    }
  }
}
