import type { Loop, LoopChange } from '@signalbox/protocol/hub';
import { t } from '../words/t.ts';

/** What somebody filled in about a loop, by the names of its fields. */
export type LoopWords = (name: string) => string;

/** The rules that a form names; what is empty is not said. */
export function rulesFrom(word: LoopWords, isChecked: (name: string) => boolean): LoopChange {
  const [untilText, untilCommand, budget] = [word('untilText'), word('untilCommand'), word('budgetUsd')];
  return {
    maxIterations: Number(word('maxIterations')),
    ...(untilText === '' ? {} : { untilText }),
    ...(untilCommand === '' ? {} : { untilCommand }),
    ...(budget === '' ? {} : { budgetUsd: Number(budget) }),
    pauseOnFailure: isChecked('pauseOnFailure'),
    allowAll: isChecked('allowAll'),
  };
}

/** What a form changes of a loop, and no more: what somebody left as it was may have been changed by another. */
export function changeFrom({ spec }: Loop, said: LoopChange, task: string): LoopChange {
  const before: LoopChange = { allowAll: spec.allowAll, pauseOnFailure: spec.pauseOnFailure ?? false };
  const known: Record<string, unknown> = { ...spec, ...before };
  const wanted = { untilText: null, untilCommand: null, budgetUsd: null, ...said };
  const changed = Object.entries(wanted).filter(([name, value]) => (known[name] ?? null) !== value);
  const told = spec.promptFile === null ? { prompt: task } : { promptFile: task };
  const isTold = task === (spec.prompt ?? spec.promptFile);
  return { ...Object.fromEntries(changed), ...(isTold ? {} : told) };
}

/** How a loop stands, in a few words: `running · 3 of 10 iterations · 4 turns`. */
export function standingOf(loop: Loop, now: number): string {
  const { state, end, spec, createdAt, updatedAt, changes } = loop;
  const durationMs = (state === 'ended' ? updatedAt : now) - createdAt;
  const word = state === 'ended' ? t.model.loopEnds[end ?? 'failed'] : t.states.loopStates[state];
  return `${word} · ${t.states.loop(loop, { maxIterations: spec.maxIterations, durationMs, changes })}`;
}
