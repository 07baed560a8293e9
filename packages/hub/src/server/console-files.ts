import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { ConsoleNotFoundError } from './server-errors.ts';

const PAGE = '/index.html';

/** Their names change with their content. */
const HASHED = '/assets/';

/** The addresses of the page itself: where it is opened, and what it writes into the address bar. */
const PAGE_ADDRESS = /^\/(?:sessions\/[^/]+)?$/;

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** How files may be compressed ahead of time, the best first. */
const ENCODINGS: readonly [string, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

/** The page runs its own scripts and talks to its own hub; images are those of a conversation. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The console as it was when the hub started. It is kept in memory: a build that replaces the folder cannot give a page
 * scripts of another version, and no path leads anywhere else.
 */
export class ConsoleFiles {
  readonly #files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

  private constructor(files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>) {
    this.#files = files;
  }

  /** Raises `CONSOLE_NOT_FOUND`. */
  static read(folder: string): ConsoleFiles {
    try {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry): [string, Uint8Array<ArrayBuffer>] => {
          const file = join(entry.parentPath, entry.name);
          return [file.slice(join(folder).length).split(sep).join('/'), new Uint8Array(readFileSync(file))];
        });
      const read = new ConsoleFiles(new Map(files));
      if (read.#files.has(PAGE)) return read;
    } catch (error) {
      throw new ConsoleNotFoundError(folder, error);
    }
    throw new ConsoleNotFoundError(folder);
  }

  /** What there is at a path; undefined when nothing. */
  answer(path: string, accepted = ''): Response | undefined {
    const name = PAGE_ADDRESS.test(path) ? PAGE : path;
    const type = TYPES[extname(name)];
    const plain = this.#files.get(name);
    if (!plain || type === undefined) return undefined;
    const [encoding, body] = this.#compressed(name, accepted) ?? [undefined, plain];
    return new Response(body, {
      headers: {
        'content-type': type,
        'content-security-policy': POLICY,
        'cache-control': name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
        vary: 'accept-encoding',
        ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      },
    });
  }

  #compressed(name: string, accepted: string): [string, Uint8Array<ArrayBuffer>] | undefined {
    for (const [encoding, ending] of ENCODINGS) {
      const body = this.#files.get(name + ending);
      if (body && new RegExp(`\\b${encoding}\\b(?!;q=0(?:,|$))`).test(accepted)) return [encoding, body];
    }
    return undefined;
  }
}
