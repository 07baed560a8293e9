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
