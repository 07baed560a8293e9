import type { OutlinePart } from '@signalbox/protocol/hub';

/** A fold is so high at least: its words have room in it. */
const LEAST_FOLD_PX = 120;

/** Entries of a record that are not here, as one row: turns that follow each other. */
export interface Fold {
  /** Its first entry, and the one that follows its last. */
  from: number;
  end: number;
  /** How many turns begin in it; 0 where that is not known. */
  turns: number;
  /** The beginning of the first prompt that it has; empty where that is not known. */
  words: string;
  /** When its first turn began, and when the one after its last did. */
  time: number | undefined;
  until: number | undefined;
}

/** The entries from `from` up to `end`, folded by turn; where turns are short, several are one fold. */
export function foldsOf(outline: readonly OutlinePart[], from: number, end: number, entryPx: number): Fold[] {
  const folds: Fold[] = [];
  for (const part of partsIn(outline, from, end)) {
    const last = folds.at(-1);
    const isLow = (fold: Fold): boolean => (fold.end - fold.from) * entryPx < LEAST_FOLD_PX;
    // A low one goes with the one before it, too, when it is the last.
    if (last && (isLow(last) || (part.end === end && isLow(part))))
      folds[folds.length - 1] = joined(last, part);
    else folds.push(part);
  }
  return folds;
}

function partsIn(outline: readonly OutlinePart[], from: number, end: number): Fold[] {
  if (end <= from) return [];
  const first = outline.find(({ seq }) => seq < end)?.seq ?? end;
  const before: Fold = {
    from,
    end: Math.min(first, end),
    turns: 0,
    words: '',
    time: undefined,
    until: undefined,
  };
  const parts = outline.flatMap((part, at): Fold[] => {
    const next = outline[at + 1];
    const whole = { from: part.seq, end: Math.max(next?.seq ?? end, part.seq + 1) };
    const here = { from: Math.max(whole.from, from), end: Math.min(whole.end, end) };
    if (here.end <= here.from) return [];
    const share = (here.end - here.from) / (whole.end - whole.from);
    const turns = Math.max(1, Math.round(part.turns * share));
    return [{ ...here, turns, words: part.words, time: part.time, until: next?.time }];
  });
  return before.end > before.from ? [before, ...parts] : parts;
}

function joined(one: Fold, next: Fold): Fold {
  const { end, until } = next;
  const { words, time } = one.words === '' ? next : one;
  return { from: one.from, end, turns: one.turns + next.turns, words, time, until };
}
