/** A line of a change. */
export interface DiffLine {
  sign: '+' | '-' | ' ';
  text: string;
}

/** More lines than this on each side are shown as one change: comparing takes their product. */
const MAX_COMPARED_LINES = 600;

/** What an edit takes out and puts in, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const old = linesOf(before);
  const young = linesOf(after);
  if (old.length > MAX_COMPARED_LINES || young.length > MAX_COMPARED_LINES)
    return [...signed('-', old), ...signed('+', young)];
  const lengths = commonLengths(old, young);
  const lines: DiffLine[] = [];
  let at = 0;
  let to = 0;
  while (at < old.length || to < young.length) {
    if (at < old.length && old[at] === young[to]) {
      lines.push({ sign: ' ', text: old[at] ?? '' });
      at += 1;
      to += 1;
    } else if (at < old.length && (lengths[at + 1]?.[to] ?? 0) >= (lengths[at]?.[to + 1] ?? 0)) {
      lines.push({ sign: '-', text: old[at] ?? '' });
      at += 1;
    } else {
      lines.push({ sign: '+', text: young[to] ?? '' });
      to += 1;
    }
  }
  return lines;
}

/** As many as a browser lays out at once; it leaves the runs that are out of sight. */
const RUN_LINES = 500;

/** Lines that follow each other with one sign, as one: of a file of a hundred thousand lines each cannot have a row of its own. */
export function runsOf(lines: readonly DiffLine[]): DiffLine[] {
  const runs: { sign: DiffLine['sign']; texts: string[] }[] = [];
  for (const { sign, text } of lines) {
    const last = runs.at(-1);
    if (last?.sign === sign && last.texts.length < RUN_LINES) last.texts.push(text);
    else runs.push({ sign, texts: [text] });
  }
  return runs.map(({ sign, texts }) => ({ sign, text: texts.join('\n') }));
}

/** For every pair of ends, how many lines both have in common. */
function commonLengths(old: readonly string[], young: readonly string[]): Uint16Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint16Array(young.length + 1));
  for (let at = old.length - 1; at >= 0; at -= 1) {
    for (let to = young.length - 1; to >= 0; to -= 1) {
      const row = rows[at];
      const below = rows[at + 1];
      if (!row || !below) continue;
      row[to] = old[at] === young[to] ? (below[to + 1] ?? 0) + 1 : Math.max(below[to] ?? 0, row[to + 1] ?? 0);
    }
  }
  return rows;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function signed(sign: '+' | '-', lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ sign, text }));
}
