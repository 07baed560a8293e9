import type { Commit, Committed, Effect } from '../commit.ts';
import type { PackedCommit } from '../sql/parts/commits.ts';
import type { Caller } from './call.ts';
import { packAppend, transferOf } from './packed-lines.ts';

/** Commits as their callers see them: lines are packed here, on their thread. */
export class CommitClient {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async commit<Effects extends readonly Effect[]>({
    appends = [],
    ...rest
  }: Commit<Effects>): Promise<Committed<Effects>> {
    const packed: PackedCommit = { ...rest, appends: appends.map(packAppend) };
    const transfer = packed.appends.flatMap(transferOf);
    const value = await this.#caller({ part: 'commits', method: 'apply', values: [packed] }, transfer);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `SqlCommits.apply` ran on the other side
    return value as Committed<Effects>;
  }
}
