import { turnOutcome } from '@signalbox/protocol';
import type { ContentBlock, ContentBlockParam } from '../types/api-message.ts';
import type { SDKMessage, SDKResultMessage } from '../types/messages.ts';
import { firstLine, harmless, type Paint, painter, takesColour } from './terminal-text.ts';
import { summarizeToolUse } from './tool-summary.ts';

/** How many lines of a tool's result are shown. */
const RESULT_LINES = 5;

const LINE_CHARS = 120;

/** How a message is shown. */
export interface FormatOptions {
  colour?: boolean;
}

/** A message as people read it, without a line end; empty for what only programs need. */
export function formatMessage(message: SDKMessage, { colour = false }: FormatOptions = {}): string {
  const paint = painter(colour);
  const indent = 'parent_tool_use_id' in message && message.parent_tool_use_id ? '  ' : '';
  return linesOf(message, paint)
    .filter((line) => line !== '')
    .join('\n')
    .replaceAll(/^(?=.)/gm, indent);
}

/** Write a message to a terminal, or to the stream that is given. */
export function prettyPrint(
  message: SDKMessage,
  stream: NodeJS.WritableStream & { isTTY?: boolean } = process.stdout,
): void {
  const text = formatMessage(message, { colour: takesColour(stream) });
  if (text !== '') stream.write(`${text}\n`);
}

function linesOf(message: SDKMessage, paint: Paint): string[] {
  switch (message.type) {
    case 'assistant':
      return message.message.content.map((block) => blockLine(block, paint));
    case 'user':
      return userLines(message.message.content, paint);
    case 'result':
      return [resultLine(message, paint)];
    case 'system':
      return message.subtype === 'init' ? [paint('dim', `${message.model} in ${message.cwd}`)] : [];
    default:
      return [];
  }
}

function blockLine(block: ContentBlock, paint: Paint): string {
  switch (block.type) {
    case 'text':
      return harmless(block.text);
    case 'thinking':
      return paint('dim', `∴ ${firstLine(block.thinking, LINE_CHARS)}`);
    case 'tool_use':
    case 'server_tool_use':
      return `${paint('cyan', '●')} ${paint('bold', firstLine(summarizeToolUse(block), LINE_CHARS))}`;
    default:
      return '';
  }
}

function userLines(content: string | ContentBlockParam[], paint: Paint): string[] {
  if (typeof content === 'string') return [promptLine(content, paint)];
  return content.flatMap((block) => {
    if (block.type === 'text') return [promptLine(block.text, paint)];
    if (block.type !== 'tool_result') return [];
    const colour = block.is_error ? 'red' : 'dim';
    return resultLines(block.content ?? '').map((line, at) =>
      paint(colour, `  ${at === 0 ? '└' : ' '} ${line}`),
    );
  });
}

function promptLine(text: string, paint: Paint): string {
  const output = /^<local-command-std(out|err)>([\s\S]*)<\/local-command-std\1>$/.exec(text.trim());
  if (output) return harmless(output[2] ?? '');
  return `${paint('green', '❯')} ${harmless(text)}`;
}

function resultLines(content: string | ContentBlockParam[]): string[] {
  const text =
    typeof content === 'string'
      ? content
      : content.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
  const lines = harmless(text).trimEnd().split('\n');
  const rest = lines.length - RESULT_LINES;
  const shown = lines.slice(0, RESULT_LINES).map((line) => line.slice(0, LINE_CHARS));
  return rest > 0 ? [...shown, `… ${rest} more lines`] : shown;
}

function resultLine(message: SDKResultMessage, paint: Paint): string {
  const seconds = (numberOf(message.duration_ms) / 1000).toFixed(1);
  const count = numberOf(message.num_turns);
  const turns = `${count} ${count === 1 ? 'turn' : 'turns'}`;
  const facts = `${turns}, ${seconds} s, $${numberOf(message.total_cost_usd).toFixed(4)}`;
  const outcome = turnOutcome({ ...message });
  switch (outcome.how) {
    case 'well':
      return `${paint('green', '✓')} ${paint('dim', facts)}`;
    case 'interrupted':
      return `${paint('yellow', '■')} interrupted ${paint('dim', facts)}`;
    case 'failed':
      return `${paint('red', '✗')} ${firstLine(outcome.problem, LINE_CHARS)} ${paint('dim', facts)}`;
  }
}

/** Of an end in a way that the protocol does not know, nothing is certain. */
function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
