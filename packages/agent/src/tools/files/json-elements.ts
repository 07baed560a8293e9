/** Where a value stands in a JSON text. */
export interface JsonRange {
  readonly start: number;
  readonly end: number;
}

/** Where the members of an object stand, by their names; of two with one name the last counts. The text must be JSON. */
export function membersOf(text: string): Map<string, JsonRange> {
  const parts = childrenOf(text, { start: 0, end: text.length });
  const members = new Map<string, JsonRange>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [name, value] = [parts[at], parts[at + 1]];
    if (name && value) members.set(String(JSON.parse(text.slice(name.start, name.end))), value);
  }
  return members;
}

/** The items of a list, or the names and values of an object in turn. The text must be JSON. */
export function childrenOf(text: string, range: JsonRange): JsonRange[] {
  const children: JsonRange[] = [];
  let depth = 0;
  let start = -1;
  const endChild = (end: number): void => {
    if (start >= 0) children.push({ start, end: start + text.slice(start, end).trimEnd().length });
    start = -1;
  };
  for (let at = range.start; at < range.end; at += 1) {
    const letter = text[at] ?? '';
    if (depth === 1 && (letter === ',' || letter === ':')) endChild(at);
    else if (letter === '}' || letter === ']') {
      if (depth === 1) endChild(at);
      depth -= 1;
    } else {
      if (depth === 1 && start < 0 && !/\s/.test(letter)) start = at;
      if (letter === '{' || letter === '[') depth += 1;
      else if (letter === '"') at = endOfString(text, at);
    }
  }
  return children;
}

/** The closing quote of the string that begins here. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
