import { SignalboxError } from '@signalbox/protocol';
import type { Author } from '@signalbox/protocol/hub';

const LEVELS = ['debug', 'info', 'warn', 'error', 'off'] as const;

/** What is worth a line; `off` is nothing. */
export type LogLevel = (typeof LEVELS)[number];

/** What a line tells beside its event: never what people or agents say, and never a header. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** What a token or a link looks like, in case that one gets into a path or a message after all. */
const SECRET = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[\w-]{20,}/g;

/** `--log` or its setting names no level. */
export class LogLevelError extends SignalboxError {
  constructor(level: string) {
    super(
      'LOG_LEVEL',
      `${level} is no level of the log (--log, SIGNALBOX_LOG, or log in config.json): these are ${LEVELS.join(', ')}.`,
    );
  }
}

/** Where a {@link Log} writes, and how. */
export interface LogOptions {
  write: (line: string) => void;
  level?: LogLevel;
  /** `json` for programs, `words` for people. */
  form?: 'json' | 'words';
}

/** What happens in the hub, a line for each event. */
export class Log {
  readonly #write: (line: string) => void;
  readonly #least: number;
  readonly #form: 'json' | 'words';

  constructor({ write, level = 'info', form = 'json' }: LogOptions) {
    this.#write = write;
    this.#least = LEVELS.indexOf(level);
    this.#form = form;
  }

  debug(event: string, fields: LogFields = {}): void {
    this.#add('debug', event, fields);
  }

  info(event: string, fields: LogFields = {}): void {
    this.#add('info', event, fields);
  }

  /** What somebody has decided, as the audit log has it. */
  decision(author: Author, fields: LogFields): void {
    const who =
      author.by === 'person'
        ? { person: author.name, device: author.device, id: author.deviceId ?? null }
        : { person: author.by };
    this.info('decision', { ...fields, ...who });
  }

  warn(event: string, fields: LogFields = {}): void {
    this.#add('warn', event, fields);
  }

  /** What nobody foresaw: where it came from is told, and not its message, which may quote anything. */
  failure(error: unknown, fields: LogFields = {}): void {
    const stack = error instanceof Error ? (error.stack ?? '') : '';
    const where = stack.split('\n').filter((line) => /^\s+at /.test(line));
    const name = error instanceof Error ? error.name : typeof error;
    this.#add('error', 'failure', { ...fields, name, where: where.map((line) => line.trim()).join(' < ') });
  }

  #add(level: LogLevel, event: string, fields: LogFields): void {
    if (LEVELS.indexOf(level) < this.#least) return;
    const time = new Date().toISOString();
    const line =
      this.#form === 'json'
        ? JSON.stringify({ time, level, event, ...fields })
        : inWords(time, level, event, fields);
    this.#write(`${line.replaceAll(SECRET, '[secret]')}\n`);
  }
}

/** A log on stderr: lines for people on a terminal, JSON elsewhere. Raises `LOG_LEVEL`. */
export function stderrLog(env: NodeJS.ProcessEnv = process.env): Log {
  const { SIGNALBOX_LOG: level = 'info' } = env;
  const known = LEVELS.find((name) => name === level);
  if (known === undefined) throw new LogLevelError(level);
  return new Log({
    write: (line) => void process.stderr.write(line),
    level: known,
    form: process.stderr.isTTY ? 'words' : 'json',
  });
}

/** A log that nobody reads. */
export const SILENT_LOG = new Log({ write: () => {}, level: 'off' });

function inWords(time: string, level: LogLevel, event: string, fields: LogFields): string {
  const told = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${value}`],
  );
  return [time.slice(11, 19), level.padEnd(5), event, ...told].join(' ');
}
