import type { AskQueue } from '../asks/ask-queue.ts';
import { cardLines } from '../cards/card-lines.ts';
import { counted } from '../cards/result-lines.ts';
import type { PromptBox } from '../input/prompt-box.ts';
import type { Conversation } from '../session/conversation.ts';
import { cleanText } from '../text/clean-text.ts';
import { colored, dim, type Line } from '../text/line.ts';
import { cutLine } from '../text/wrap-line.ts';
import { liveThoughtLines, replyLines } from './entry-lines.ts';
import { durationText, type Status, statusLine } from './status-line.ts';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** How long each picture of the spinner stays. */
export const SPINNER_MS = 120;
const SHOWN_QUEUED = 3;
/** How much of the screen a question may take, so that what led to it stays in sight; on a small one, these rows. */
const ASK_SHARE = 0.6;
const ASK_ROWS = 12;
/** How much of the screen a person's own status line may take. */
const CUSTOM_STATUS_SHARE = 1 / 3;

/** Everything that the lower part of the screen shows. */
export interface LiveScene {
  conversation: Conversation;
  /** Undefined while a question has to wait. */
  asks: AskQueue | undefined;
  /** Whether the question has just appeared, and takes no key yet. */
  isAskFresh: boolean;
  box: PromptBox;
  queued: readonly string[];
  status: Status;
  /** What the person's own status line says. */
  customStatus: readonly Line[];
  /** Why nothing is heard of the agent. */
  absence: string | undefined;
  cwd: string;
  now: number;
}

export interface LiveView {
  lines: Line[];
  cursor: { x: number; y: number } | undefined;
}

/** The lower part of the screen, never higher than `rows`: what has no room goes from the top, the input last. */
export function liveLines(scene: LiveScene, width: number, rows: number): LiveView {
  const foot = footLines(scene, width, rows);
  const all = [...workLines(scene, width), ...foot.lines];
  const cut = Math.max(0, all.length - rows);
  const lines = all.slice(cut).map((line) => cutLine(line, width));
  const y = foot.cursor ? foot.cursor.y + lines.length - foot.lines.length : -1;
  return { lines, cursor: foot.cursor && y >= 0 ? { x: foot.cursor.x, y } : undefined };
}

/** What a turn is about, for somebody who only watches. */
export function turnLines(
  conversation: Conversation,
  { width, rows, cwd, now, since }: { width: number; rows: number; cwd: string; now: number; since: number },
): Line[] {
  const work = workLines({ conversation, cwd, now }, width);
  const busy = busyLine(conversation, now, since, 'ctrl+c', width);
  return [...work, busy].slice(-rows).map((line) => cutLine(line, width));
}

/** What the agent is doing. */
function workLines(
  { conversation, cwd, now }: Pick<LiveScene, 'conversation' | 'cwd' | 'now'>,
  width: number,
): Line[] {
  const { reply, runningCalls } = conversation;
  const text = reply?.rest.trim() ? reply.rest : '';
  const written =
    reply?.kind === 'text' ? replyLines(text, reply.isStart, width) : liveThoughtLines(text, width);
  const spinner = spinnerAt(now);
  return [
    ...(text ? [...written, []] : []),
    ...runningCalls.flatMap((card) => [...cardLines(card, { width, cwd, spinner }), []]),
  ];
}

/** What the person has to do with: a question or the input, and the status. */
function footLines(scene: LiveScene, width: number, rows: number): LiveView {
  const { asks, box } = scene;
  const status = statusLine(scene.status, width);
  const first = asks?.first;
  if (asks && first) {
    const more = asks.behind > 0 ? [[dim(`  ${counted(asks.behind, 'more question')} after this one`)]] : [];
    const room = rows - more.length - 1;
    const share = Math.max(Math.floor(room * ASK_SHARE), ASK_ROWS);
    const view = first.view({ width, rows: Math.min(room, share), isFresh: scene.isAskFresh });
    return { lines: [...view.lines, ...more, status], cursor: view.cursor };
  }
  // Terminals that shrink may drop what is below the cursor: of what is ours, the input comes last.
  const head = [...busyLines(scene, width), ...queuedLines(scene.queued, width), status];
  const placeholder =
    scene.conversation.state === 'working' ? 'Type ahead: it is sent next' : 'What shall we do?';
  const below = box.isCompleting ? [] : scene.customStatus.slice(0, Math.floor(rows * CUSTOM_STATUS_SHARE));
  const room = rows - head.length - below.length;
  const view = box.view(width, Math.max(Math.floor(room / 2), 1), placeholder);
  return {
    lines: [...head, ...view.lines, ...below],
    cursor: { x: view.cursor.x, y: view.cursor.y + head.length },
  };
}

function busyLines({ conversation, absence, now }: LiveScene, width: number): Line[] {
  if (absence !== undefined) return [cutLine([colored(`! ${absence}`, 'yellow')], width), []];
  if (conversation.state === 'idle') return [];
  return [busyLine(conversation, now, conversation.turnStart, 'esc', width), []];
}

function busyLine(conversation: Conversation, now: number, since: number, key: string, width: number): Line {
  const doing = conversation.activity || (conversation.reply?.kind === 'thinking' ? 'Thinking' : 'Working');
  const time = durationText(Math.max(0, now - since));
  const busy = colored(`${spinnerAt(now)} ${doing}`, 'yellow');
  // Tools that watch a terminal know by these words that an agent is at work.
  return cutLine([busy, dim(` · ${time} · ${key} to interrupt`)], width);
}

function queuedLines(queued: readonly string[], width: number): Line[] {
  if (queued.length === 0) return [];
  const shown = queued.slice(0, SHOWN_QUEUED).map((text) => {
    const [first = '', ...rest] = cleanText(text).split('\n');
    return cutLine([dim(`  next: ${first}${rest.length > 0 ? ' …' : ''}`)], width);
  });
  const hidden = queued.length - shown.length;
  return [...shown, ...(hidden > 0 ? [[dim(`  … ${hidden} more`)]] : []), []];
}

function spinnerAt(now: number): string {
  return SPINNER[Math.floor(now / SPINNER_MS) % SPINNER.length] ?? '';
}
