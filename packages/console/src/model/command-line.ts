/** The words of a command as somebody types it, with quotes as in a shell; undefined where a quote is not closed. */
export function wordsOfCommand(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at] ?? '';
    if (quote === '' && /\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (sign === quote) quote = '';
    else if (quote === '' && (sign === '"' || sign === "'")) {
      quote = sign;
      word ??= '';
    } else if (sign === '\\' && quote !== "'") {
      at += 1;
      word = (word ?? '') + (line[at] ?? '\\');
    } else word = (word ?? '') + sign;
  }
  if (quote !== '') return undefined;
  return word === undefined ? words : [...words, word];
}

/** A command as it is typed. */
export function commandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[^\s"'\\]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
}
