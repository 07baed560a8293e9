import { Mismatch } from './check.ts';
import type { Program } from './program.ts';
import type { Scenario } from './scenario.ts';
import { Stage } from './stage.ts';

/** A scenario that hangs must not hang the suite. */
const SCENARIO_LIMIT_MS = 120_000;
/** A miss that shows as silence is waited for no longer than this. */
const MISS_LIMIT_MS = 8_000;

/**
 * `passed`; `missed`: an official version failed as the scenario foretells; `failed`: in any other way;
 * `absent`: the scenario is not about this program.
 */
export type Outcome =
  | { readonly verdict: 'passed' | 'absent' }
  | { readonly verdict: 'missed'; readonly reason: string; readonly seen: string }
  | { readonly verdict: 'failed'; readonly reason: string };

/** Play one scenario with one program. */
export async function play(scenario: Scenario, program: Program): Promise<Outcome> {
  if (scenario.programs && !scenario.programs.includes(program.id)) return { verdict: 'absent' };
  const miss = foretoldMiss(scenario, program);
  try {
    await scenario.prepare?.();
  } catch (error) {
    return { verdict: 'failed', reason: reasonOf(error) };
  }
  const stage = await Stage.set(program);
  const limit = new AbortController();
  try {
    const limitMs = scenario.limitMs ?? (miss === undefined ? SCENARIO_LIMIT_MS : MISS_LIMIT_MS);
    await Promise.race([scenario.play(stage), tooLong(limitMs, limit.signal)]);
    return { verdict: 'passed' };
  } catch (error) {
    const seen = stage.anonymous(reasonOf(error));
    if (miss !== undefined) return { verdict: 'missed', reason: miss, seen };
    return { verdict: 'failed', reason: seen };
  } finally {
    limit.abort();
    await stage.clear();
  }
}

/** The newest version is expected to be like the newest pinned one. */
function foretoldMiss({ misses = {} }: Scenario, { id }: Program): string | undefined {
  if (id === 'ours') return undefined;
  return misses[id] ?? (id === 'newest' ? misses['2.1.325'] : undefined);
}

function tooLong(limitMs: number, over: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const timer = setTimeout(() => reject(new Mismatch(`not over after ${limitMs} ms`)), limitMs);
    over.addEventListener('abort', () => clearTimeout(timer));
  });
}

/** A difference is told in its own words; anything else is a fault, and its stack says where. */
function reasonOf(error: unknown): string {
  if (error instanceof Mismatch) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
