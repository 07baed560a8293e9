import { blocksOf, isJsonObject, isMessage, type JsonObject, type MessageEntry } from '@signalbox/protocol';
import { requireSession, type SessionLocation } from './find-session.ts';
import { describeSession } from './session-info.ts';
import { conversationIn } from './session-messages.ts';
import type { SessionStoreEntry } from './session-store.ts';

/** How a session is exported. */
export interface ExportSessionOptions extends SessionLocation {
  /** `jsonl`: every entry, one a line, as it is stored. `markdown`: the conversation, for people. `jsonl` unless given. */
  format?: 'jsonl' | 'markdown';
}

/** A session as a text. */
export async function exportSession(sessionId: string, options: ExportSessionOptions = {}): Promise<string> {
  const { store, key } = await requireSession(sessionId, options);
  const entries = (await store.load(key)) ?? [];
  if (options.format === 'markdown') return asMarkdown(sessionId, entries);
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

function asMarkdown(sessionId: string, entries: readonly SessionStoreEntry[]): string {
  const info = describeSession({ sessionId, mtime: 0 }, entries);
  const title = info?.summary.split('\n', 1)[0] ?? sessionId;
  const facts = [`Session ${sessionId}`, info?.cwd, info?.gitBranch].filter(Boolean).join(' · ');
  let speaker: string | undefined;
  const parts = conversationIn(entries)
    .filter(isMessage)
    .flatMap((message) => {
      const blocks = blocksOf(message).flatMap(blockAsMarkdown);
      const next = speakerOf(message);
      if (next === undefined || next === speaker) return blocks;
      speaker = next;
      return [`## ${speaker}`, ...blocks];
    });
  return `${[`# ${title}`, facts, ...parts].join('\n\n')}\n`;
}

/** Undefined for what tools answered, which belongs to the call above it. */
function speakerOf(message: MessageEntry): string | undefined {
  if (message.type === 'assistant') return 'Assistant';
  return blocksOf(message).some(({ type }) => type === 'tool_result') ? undefined : 'User';
}

function blockAsMarkdown(block: JsonObject): string[] {
  switch (block['type']) {
    case 'text':
      return [String(block['text'])];
    case 'tool_use':
      return [`**${String(block['name'])}**`, fenced(JSON.stringify(block['input'], null, 2), 'json')];
    case 'tool_result':
      return [fenced(resultText(block['content']))];
    case 'thinking':
      return [String(block['thinking']).replaceAll(/^/gm, '> ')];
    default:
      return [`*(${String(block['type'])})*`];
  }
}

function resultText(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content
    .filter(isJsonObject)
    .map(({ type, text }) => (type === 'text' ? String(text) : `(${String(type)})`))
    .join('\n');
}

/** A fence is longer than any run of backticks inside, which would end it. */
function fenced(text: string, language = ''): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return `${fence}${language}\n${text}\n${fence}`;
}
