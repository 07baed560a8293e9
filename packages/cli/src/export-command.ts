import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LIMITS, LineDecoder } from '@signalbox/protocol';
import { HubApi } from 'signalbox/hub';
import { CommandOptionsError, readCommand } from './command-options.ts';
import { MarkdownRecord } from './export/markdown-record.ts';
import { harmless } from './harmless-text.ts';
import { addressOf, findHub, HUB_HELP, HUB_OPTIONS } from './hub/find-hub.ts';
import { pickSession } from './hub/pick-session.ts';
import { printHelp } from './print-help.ts';
import { assertWritable, writeWholeFile } from './write-whole-file.ts';

const HELP = `Usage: signalbox export [options] <session>

Writes a session with everything said in it to stdout or a file. The start of its id is enough.

  --format FORMAT    jsonl (default): everything, to be imported by another hub;
                     markdown: the conversation, for people to read;
                     transcript: the conversation as agents store it, to resume from
  -o, --output FILE  write to this file, completely or not at all, readable only by you
  --force            replace an existing file
${HUB_HELP}
  -h, --help         this text

Exit codes: 0 written, 1 not written, 2 wrong command line.
`;

const OPTIONS = {
  ...HUB_OPTIONS,
  format: { type: 'string' },
  output: { type: 'string', short: 'o' },
  force: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Chunks = AsyncIterable<string | Uint8Array>;

const FORMATS: Record<string, (api: HubApi, session: string) => Promise<Chunks>> = {
  jsonl: (api, session) => api.download('GET /api/sessions/{session}/export', { params: { session } }),
  markdown: async (api, session) =>
    inMarkdown(await api.download('GET /api/sessions/{session}/export', { params: { session } })),
  transcript: (api, session) =>
    api.download('GET /api/sessions/{session}/transcript', { params: { session } }),
};

/** Run `signalbox export …`. */
export async function runExport(argv: readonly string[]): Promise<number> {
  const { values: options, positionals } = readCommand('export', argv, OPTIONS);
  if (options.help) {
    printHelp(HELP);
    return 0;
  }
  const [start, ...rest] = positionals;
  if (start === undefined || rest.length > 0)
    throw new CommandOptionsError('export', 'Say the id of one session.');
  const { format = 'jsonl', output, force: replaces = false } = options;
  const read = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (!read)
    throw new CommandOptionsError('export', `--format is ${Object.keys(FORMATS).join(', ')}, not ${format}.`);
  const file = output === undefined ? undefined : resolve(output);
  if (file !== undefined) assertWritable(file, { replaces });
  const api = new HubApi(addressOf(await findHub(options)));
  const chunks = await read(api, (await pickSession(api, start)).id);
  if (file === undefined)
    await pipeline(process.stdout.isTTY ? shown(chunks) : chunks, process.stdout, { end: false });
  else await writeWholeFile(file, chunks, async () => {}, { replaces });
  return 0;
}

/** What an agent says must not speak to a terminal. */
async function* shown(chunks: Chunks): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks)
    yield harmless(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
}

async function* inMarkdown(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const record = new MarkdownRecord();
  const texts: string[] = [];
  const decoder = new LineDecoder({
    maxLineBytes: LIMITS.importLineBytes.most,
    onLine: (line) => texts.push(record.textOf(line.text())),
  });
  for await (const chunk of chunks) {
    decoder.push(chunk);
    yield texts.splice(0).join('');
  }
  decoder.end();
  yield texts.join('');
}
