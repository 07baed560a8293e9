import { parseArgs } from 'node:util';
import { SignalboxError } from '@signalbox/protocol';
import { ModelUsageError } from './errors.ts';
import { startModelRecorder } from './record/model-recorder.ts';
import { runBesideModel } from './run-beside-model.ts';
import { listScenarios } from './scenario/load.ts';
import { quote } from './scenario/match.ts';
import type { LoggedRequest } from './server/request-log.ts';
import { startScriptedModel } from './server/scripted-model.ts';

/** Where the command writes, and what ends it. */
export interface ModelCommandIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly signal: AbortSignal;
}

const EXIT_OK = 0;
const EXIT_USAGE = 2;
const PROMPT_SHOWN = 60;
const NO_KEY = 'scripted';

/** Nobody is paid for a script, whatever the model is called that it plays. */
const NO_PRICES = JSON.stringify({ '*': { input: 0, output: 0 } });

const HELP = `Usage: signalbox model [--script NAME|FILE] [options] [-- command …]

A Messages API server that answers from a script: no network, no key. With a command, it serves
that command, which finds it by itself, and ends with it.

  --script NAME|FILE   the scenario to play: a built-in one or a JSON file (default: demo)
  --list               list the built-in scenarios
  --port N             the port to listen on (default: any free one)
  --host HOST          the address to listen on (default: 127.0.0.1)
  --latency MS         wait before every answer
  --record FILE        write a scenario of what a real API answers, instead of playing one
  --upstream URL       the API to record
  -h, --help           this text
`;

const OPTIONS = {
  script: { type: 'string' },
  list: { type: 'boolean' },
  port: { type: 'string' },
  host: { type: 'string' },
  latency: { type: 'string' },
  record: { type: 'string' },
  upstream: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new ModelUsageError(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(flag: string, text: string | undefined, max: number): number {
  if (text === undefined) return 0;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > max)
    throw new ModelUsageError(`${flag} takes a whole number up to ${max}`);
  return value;
}

/** One line for one request. */
function requestLine(request: LoggedRequest): string {
  const time = new Date(request.startedAt).toTimeString().slice(0, 8);
  const what =
    request.turn === undefined ? '' : `${request.background ? 'background' : 'turn'} ${request.turn}`;
  const parts = [
    time,
    request.method,
    request.path,
    String(request.status ?? '-'),
    request.state === 'answered' ? '' : request.state,
    request.code ?? '',
    what,
    `${request.durationMs ?? 0}ms`,
    request.lastUserText ? quote(request.lastUserText, PROMPT_SHOWN) : '',
  ];
  return `${parts.filter(Boolean).join('  ')}\n`;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function start(words: readonly string[], { stdout, stderr, signal }: ModelCommandIo): Promise<number> {
  const [argv, command] = splitAtDashes(words);
  const flags = parse(argv);
  if (flags.help) {
    stdout.write(HELP);
    return EXIT_OK;
  }
  if (flags.list) {
    for (const { name, description } of listScenarios()) stdout.write(`${name.padEnd(8)} ${description}\n`);
    return EXIT_OK;
  }
  if ((flags.record === undefined) !== (flags.upstream === undefined)) {
    throw new ModelUsageError('--record and --upstream go together');
  }
  if (flags.record !== undefined && flags.script !== undefined)
    throw new ModelUsageError('--record takes no --script');

  const { record, upstream, script = 'demo' } = flags;
  const common = {
    port: wholeNumber('--port', flags.port, 65_535),
    host: flags.host ?? '127.0.0.1',
    // Beside a command there is nobody who reads a log: stderr is the command's.
    ...(command ? {} : { onRequest: (request: LoggedRequest) => void stderr.write(requestLine(request)) }),
  };
  const latencyMs = wholeNumber('--latency', flags.latency, 600_000);
  const recording = record !== undefined && upstream !== undefined;
  const server = recording
    ? await startModelRecorder({
        ...common,
        file: record,
        upstream,
        onProblem: (error) =>
          void stderr.write(`${error instanceof Error ? error.message : String(error)}\n`),
      })
    : await startScriptedModel({ ...common, scenario: script, latencyMs });

  if (command) {
    const key = recording ? {} : { ANTHROPIC_API_KEY: NO_KEY, SIGNALBOX_PRICES: NO_PRICES };
    try {
      return await runBesideModel(command, { ANTHROPIC_BASE_URL: server.url, ...key });
    } finally {
      await server.close();
    }
  }
  const headline = recording ? `Recording into ${record}` : `Scripted model "${script}"`;
  const key = recording ? '' : `  export ANTHROPIC_API_KEY=${NO_KEY}\n`;
  stdout.write(`${headline} at ${server.url}\n\n  export ANTHROPIC_BASE_URL=${server.url}\n${key}\n`);
  await untilAborted(signal);
  await server.close();
  return EXIT_OK;
}

/** What comes after `--` is a command of its own. */
function splitAtDashes(words: readonly string[]): [string[], string[] | undefined] {
  const at = words.indexOf('--');
  if (at === -1) return [[...words], undefined];
  if (at === words.length - 1) throw new ModelUsageError('say what to run after --');
  return [words.slice(0, at), words.slice(at + 1)];
}

/** Runs `signalbox model`: resolves with the exit code when `signal` fires, its command ends, or there is nothing to run. */
export async function runModelCommand(argv: readonly string[], io: ModelCommandIo): Promise<number> {
  try {
    return await start(argv, io);
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    io.stderr.write(`signalbox model: ${error.message}\n`);
    return EXIT_USAGE;
  }
}
