/** One name of a path pattern: `**` for any number of names, or the units that a single name consists of. */
export type Segment = '**' | readonly Unit[];

type Unit = '*' | OneOf;
type OneOf = { readonly oneOf: readonly Range[]; readonly negated: boolean };
type Range = readonly [low: string, high: string];

const ANY_ONE: OneOf = { oneOf: [], negated: true };

/** Reads one name of a gitignore pattern: `*`, `?`, `[a-z]`, `[!a-z]` and `\` before a character that means itself. */
export function parseSegment(text: string): Segment {
  if (text === '**') return '**';
  const characters = Array.from(text);
  const units: Unit[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    const bracket = character === '[' ? parseBracket(characters, at) : undefined;
    if (bracket) {
      units.push(bracket.unit);
      at = bracket.end;
    } else if (character === '*') units.push('*');
    else if (character === '?') units.push(ANY_ONE);
    else if (character === '\\' && at + 1 < characters.length) units.push(literal(characters[++at] ?? ''));
    else units.push(literal(character));
  }
  return units;
}

/** Whether the names of a path are what the segments describe. Time grows with names times segments, never faster. */
export function matchesSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  return matchesRuns<readonly Unit[], '**', string>(segments, names, '**', matchesName);
}

function matchesName(units: readonly Unit[], name: string): boolean {
  return matchesRuns<OneOf, '*', string>(units, Array.from(name), '*', accepts);
}

/** The classic two-pointer match: only the last run is ever widened, so there is nothing to blow up. */
function matchesRuns<One, Run extends string, Item>(
  pattern: readonly (One | Run)[],
  items: readonly Item[],
  run: Run,
  matchesOne: (one: One, item: Item) => boolean,
): boolean {
  const isRun = (part: One | Run | undefined): part is Run => part === run;
  let at = 0;
  let lastRun = -1;
  let runEnd = 0;
  for (let next = 0; next < items.length; ) {
    const part = pattern[at];
    const item = items[next];
    if (isRun(part)) {
      lastRun = at++;
      runEnd = next;
    } else if (part !== undefined && item !== undefined && matchesOne(part, item)) {
      at++;
      next++;
    } else if (lastRun >= 0) {
      at = lastRun + 1;
      next = ++runEnd;
    } else return false;
  }
  return pattern.slice(at).every(isRun);
}

function accepts(unit: OneOf, character: string): boolean {
  return unit.oneOf.some(([low, high]) => low <= character && character <= high) !== unit.negated;
}

function literal(character: string): OneOf {
  return { oneOf: [[character, character]], negated: false };
}

/** An unclosed bracket stands for itself, as in gitignore. */
function parseBracket(characters: readonly string[], open: number): { unit: OneOf; end: number } | undefined {
  const oneOf: Range[] = [];
  let at = open + 1;
  const negated = characters[at] === '!' || characters[at] === '^';
  if (negated) at++;
  const next = () => (characters[at] === '\\' ? characters[++at] : characters[at]);
  for (let first = true; at < characters.length; at++, first = false) {
    if (characters[at] === ']' && !first) return { unit: { oneOf, negated }, end: at };
    const low = next();
    let high = low;
    if (characters[at + 1] === '-' && characters[at + 2] !== ']') {
      at += 2;
      high = next();
    }
    if (low !== undefined && high !== undefined) oneOf.push([low, high]);
  }
  return undefined;
}
