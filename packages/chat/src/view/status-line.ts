import { bold, type Color, colored, dim, type Line, type Span } from '../text/line.ts';
import { cutLine } from '../text/wrap-line.ts';

/** What stands at the bottom of the screen. */
export interface Status {
  model: string;
  mode: string;
  contextPercent: number | undefined;
  costUsd: number | undefined;
  turnMs: number | undefined;
  /** Said once, in place of the hint. */
  notice: string;
}

const MODE_WORDS: Record<string, { text: string; color?: Color }> = {
  default: { text: 'asks first' },
  acceptEdits: { text: 'accepts edits', color: 'magenta' },
  plan: { text: 'plans only', color: 'blue' },
  bypassPermissions: { text: 'asks for nothing', color: 'red' },
  dontAsk: { text: 'denies instead of asking', color: 'yellow' },
};

const FULL_CONTEXT_PERCENT = 80;

/** Model, mode, context, cost and time, and which keys help; what does not fit is left out at the end. */
export function statusLine(status: Status, width: number): Line {
  const mode = MODE_WORDS[status.mode] ?? { text: status.mode };
  const context = status.contextPercent;
  const facts: Span[] = [
    ...(status.model ? [dim(status.model)] : []),
    mode.color ? colored(mode.text, mode.color) : dim(mode.text),
    ...(context === undefined
      ? []
      : [context >= FULL_CONTEXT_PERCENT ? colored(`${context}% full`, 'yellow') : dim(`${context}% full`)]),
    ...(status.costUsd === undefined ? [] : [dim(costText(status.costUsd))]),
    ...(status.turnMs === undefined ? [] : [dim(durationText(status.turnMs))]),
    status.notice ? bold(status.notice, 'yellow') : dim('Shift+Tab changes the mode'),
  ];
  return cutLine(
    facts.flatMap((span, index) => (index > 0 ? [dim(' · '), span] : [dim('  '), span])),
    width,
  );
}

/** Cents with as many digits as tell something. */
export function costText(usd: number): string {
  return `$${usd.toFixed(usd < 1 && usd > 0 ? 4 : 2)}`;
}

/** `8s`, `2m 05s`, `1h 02m`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const pad = (value: number): string => String(value).padStart(2, '0');
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h ${pad(Math.floor(seconds / 60) % 60)}m`;
}
