import type { ChangeComment } from '@signalbox/protocol/hub';

const BASE_WORDS: Readonly<Partial<Record<ChangeComment['base'], string>>> = {
  start: 'when the session began',
  turn: 'before the turn',
};

const FIT_WORDS: Readonly<Record<ChangeComment['fit'], string>> = {
  fits: '',
  moved: '; these lines are somewhere else by now',
  gone: '; these lines have changed since',
};

/** All comments as one prompt: what each is about, and what is said of it. */
export function commentPrompt(comments: readonly ChangeComment[]): string {
  const parts = comments.map(({ path, side, line, quote, base, baseCommit, text, fit }, at) => {
    const lines = quote.split('\n');
    const place = lines.length === 1 ? `line ${line}` : `lines ${line} to ${line + lines.length - 1}`;
    const of =
      side === 'new'
        ? ''
        : `, as it was ${BASE_WORDS[base] ?? `in ${baseCommit?.slice(0, 12) ?? 'nothing'}`}`;
    const quoted = lines.map((one) => `> ${one}`).join('\n');
    return `${at + 1}. ${path}, ${place}${of}${FIT_WORDS[fit]}:\n${quoted}\n\n${text}`;
  });
  const head = comments.length === 1 ? 'A comment on the changes:' : 'Comments on the changes:';
  return [head, ...parts].join('\n\n');
}
