/// <reference lib="webworker" />
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';
import {
  codeToTokensBase,
  createShikiPrimitiveAsync,
  resolveLangs,
  type ShikiPrimitive,
} from '@shikijs/primitive';
import type { CodeLines, HighlightAnswer, HighlightRequest } from './highlight-message.ts';
import { GRAMMARS } from './languages.ts';
import { THEME } from './theme.ts';

/** A line that is longer has its colours left out: some grammars take the square of it. */
const MAX_LINE_LENGTH = 2000;

let highlighter: Promise<ShikiPrimitive> | undefined;
const loaded = new Map<string, Promise<void>>();

async function highlight({ code, grammar }: HighlightRequest): Promise<CodeLines | undefined> {
  const load = GRAMMARS[grammar];
  if (!load) return undefined;
  highlighter ??= createShikiPrimitiveAsync({
    themes: [THEME],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const shiki = await highlighter;
  const ready =
    loaded.get(grammar) ??
    load()
      .then(({ default: languages }) => resolveLangs([languages]))
      .then((languages) => shiki.loadLanguageSync(...languages));
  loaded.set(grammar, ready);
  await ready;
  const lines = codeToTokensBase(shiki, code, {
    lang: grammar,
    theme: THEME.name,
    tokenizeMaxLineLength: MAX_LINE_LENGTH,
    // A line that is cut off there has the wrong colours; the page ends a worker that takes too long.
    tokenizeTimeLimit: 0,
  });
  return lines.map((line) => line.map(({ content, color = '' }) => [content, color]));
}

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
  const answer = (lines: CodeLines | undefined): void =>
    postMessage({ id: data.id, lines } satisfies HighlightAnswer);
  highlight(data).then(answer, () => answer(undefined));
});
