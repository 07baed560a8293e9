/** What joins the words of a command to one text; a line that was read does not contain it. */
export const WORD_BREAK = '\0';

/** What stands for a `*` that is not escaped. */
export const WILDCARD = '\u0001';

/** The pieces of a rule's text; a quote that is not closed is a character like any other. */
const PIECE =
  /\\(?<escaped>.)|'(?<single>[^']*)'|"(?<double>(?:\\.|[^"\\])*)"|(?<gap>\s+)|(?<home>~(?=\/|\s|$))|[^\\'"\s~]+|./gs;

/** The words of a rule without their quotes, with {@link WILDCARD} for each `*`: only `\` protects it, quotes do not. */
export function splitPattern(content: string, home: string): readonly string[] {
  const words = [''];
  for (const { 0: piece, groups = {} } of content.trim().matchAll(PIECE)) {
    const { escaped, single, double } = groups;
    const word = words.pop() ?? '';
    if (groups.gap) words.push(word, '');
    else if (groups.home && word === '') words.push(home);
    else if (double)
      words.push(word + double.replace(/\\["\\$`]/g, (pair) => pair.slice(1)).replaceAll('*', WILDCARD));
    else words.push(word + (escaped ?? (single ?? double ?? piece).replaceAll('*', WILDCARD)));
  }
  return words;
}
