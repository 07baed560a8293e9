/** Words that somebody is typing: the last one may go on, unless it is in quotes. */
export function typedWords(words: string): string {
  const isQuoted = words.split('"').length % 2 === 0;
  return /[\p{L}\p{N}]$/u.test(words) && !isQuoted ? `${words}*` : words;
}

/** Whether there is anything to look for. */
export function hasWord(words: string): boolean {
  return /[\p{L}\p{N}]/u.test(words);
}
