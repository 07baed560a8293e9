import type { WireLine } from '@signalbox/protocol';
import { type LoopTurn, loopTurn } from '@signalbox/protocol/loop';
import { messageIn } from '../sessions/session-problem.ts';
import type { Entry, SessionRecord } from '../store/record.ts';

/** Finds out from the record of a session how the turn of one prompt ended. */
export class TurnReader {
  readonly #record: SessionRecord;
  readonly #session: string;
  readonly #promptId: string;
  /** The first entry that was not looked at; undefined until the prompt is in the record. */
  #from: number | undefined;
  #endedBy: string | undefined;

  constructor(record: SessionRecord, session: string, promptId: string) {
    this.#record = record;
    this.#session = session;
    this.#promptId = promptId;
  }

  /** A person told the agent to end: whatever the process says of its end, it did not fail. */
  get endedBy(): string | undefined {
    return this.#endedBy;
  }

  /** Whether the agent was given the prompt. */
  get hasBegun(): boolean {
    return this.#from !== undefined;
  }

  /** Undefined as long as the turn goes on. `costBefore` is what the agent had cost before it. */
  async read(costBefore: number): Promise<LoopTurn | undefined> {
    if (this.#from === undefined) {
      const at = await this.#record.locate(this.#session, this.#promptId);
      if (at === undefined) return undefined;
      this.#from = at + 1;
    }
    for (;;) {
      const { entries } = await this.#record.window(this.#session, this.#from);
      if (entries.length === 0) return undefined;
      for (const entry of entries) {
        this.#from = entry.seq + 1;
        const line = this.#resultIn(entry);
        if (line) return loopTurn(messageIn(line), costBefore);
      }
    }
  }

  #resultIn(entry: Entry): WireLine | undefined {
    if (entry.kind === 'damaged') return undefined;
    const { author, line } = entry;
    const { type, subtype } = line.head();
    if (author.by === 'person' && type === 'hub' && subtype === 'stop') this.#endedBy = author.name;
    return author.by === 'agent' && type === 'result' ? line : undefined;
  }
}
