/** What can be typed after a command. */
export interface CommandWords {
  name: string;
  summary: string;
  /** Words such as `stop`, before options. */
  words: readonly string[];
  /** Options with their dashes. */
  options: readonly string[];
}

/** What the help of a command says that can be typed. */
export function wordsIn(name: string, summary: string, help: string): CommandWords {
  const usage = Array.from(
    help.matchAll(new RegExp(`^(?:Usage:| +) *signalbox ${name} ([a-z]+(?:\\|[a-z]+)*)(?= |$)`, 'gm')),
    ([, words = '']) => words.split('|'),
  );
  // What is said of options begins after two spaces; some are told of in the usage alone.
  const heads = Array.from(help.matchAll(/^ +(-\S.*?)(?: {2,}|$)/gm), ([, head = '']) => head);
  const lines = help.match(/^(?:Usage:| +) *signalbox .*$/gm) ?? [];
  const options = [...heads, ...lines].flatMap((head) => head.match(/--[a-z][a-z-]*/g) ?? []);
  return { name, summary, words: [...new Set(usage.flat())], options: [...new Set(options)] };
}
