/** A text in lines of at most `width` characters, all but the first behind `indent` spaces; a longer word has its own. */
export function wrapWords(text: string, width: number, indent: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

/** How many columns there are; what is piped has all the room it wants. */
export function roomOf(out: NodeJS.WriteStream): number {
  return out.isTTY && out.columns > 0 ? out.columns : Number.POSITIVE_INFINITY;
}

/** A text for `out`, its lines broken at words where a terminal would break them anywhere. */
export function fitted(text: string, out: NodeJS.WriteStream): string {
  const room = roomOf(out);
  const fit = (line: string): string => (line.length <= room ? line : wrapWords(line, room, 0));
  return text.split('\n').map(fit).join('\n');
}
