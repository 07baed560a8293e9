import { shortInput } from '@signalbox/protocol';
import { cleanText } from '../text/clean-text.ts';
import { bold, colored, dim, type Line, plain, type Span } from '../text/line.ts';
import { cutLine, hang } from '../text/wrap-line.ts';
import { resultLines } from './result-lines.ts';
import type { ToolCard } from './tool-card.ts';
import { toolTitle } from './tool-title.ts';

/** Calls of a sub-agent that are shown while it works, and when it is done. */
const SHOWN_CALLS = { running: 3, finished: 12 };

/** What is needed to draw a card beside the card. */
export interface CardSetting {
  width: number;
  cwd: string;
  /** The spinner's picture of this moment. */
  spinner: string;
}

/** A tool call, with the calls of its sub-agent and its result below it. */
export function cardLines(card: ToolCard, setting: CardSetting): Line[] {
  const inner = { ...setting, width: Math.max(setting.width - 4, 1) };
  const result = card.state === 'running' ? [] : resultLines(card, inner.width, setting.cwd);
  return [headLine(card, setting), ...callLines(card, inner), ...hang([dim('  └ ')], result)];
}

function callLines(card: ToolCard, inner: CardSetting): Line[] {
  const shown = card.state === 'running' ? SHOWN_CALLS.running : SHOWN_CALLS.finished;
  const hidden = card.calls.length - shown;
  return [
    ...(hidden > 0 ? [[dim(`    … ${hidden} more calls`)]] : []),
    ...card.calls.slice(-shown).map((call) => [plain('    '), ...headLine(call, inner)]),
  ];
}

function headLine(card: ToolCard, { width, cwd, spinner }: CardSetting): Line {
  const input = shortInput(card.name, card.input, cwd, cleanText);
  return cutLine([stateMark(card, spinner), bold(toolTitle(card.name)), dim(input && ` ${input}`)], width);
}

function stateMark({ state }: ToolCard, spinner: string): Span {
  if (state === 'running') return colored(`${spinner} `, 'yellow');
  return state === 'done' ? colored('● ', 'green') : colored('● ', 'red');
}
