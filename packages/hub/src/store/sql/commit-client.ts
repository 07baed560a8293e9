import type { Commit, Committed, Effect, ResultsOf } from '../commit.ts';
import type { PackedCommit } from '../sql/parts/commits.ts';
import { promptOf, type WrittenPrompt } from '../written-prompt.ts';
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
    return withPrompts(value as Committed<Effects>, rest.effects);
  }
}

/** What it says of prompts came as it was written. */
function withPrompts<Effects extends readonly Effect[]>(
  committed: Committed<Effects>,
  effects: readonly Effect[] = [],
): Committed<Effects> {
  if (!effects.some(isOfPrompt)) return committed;
  const results: unknown[] = [...committed.results];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is what such an effect results in there
  for (const [at, effect] of effects.entries()) {
    if (!isOfPrompt(effect)) continue;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this is what such an effect results in there
    results[at] = promptOf(results[at] as WrittenPrompt);
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each is the result of its effect
  return { ...committed, results: results as unknown as ResultsOf<Effects> };
}

function isOfPrompt({ kind }: Effect): boolean {
  return kind === 'edit-prompt' || kind === 'cancel-prompt';
}
