import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Exchange } from '../http/exchange.ts';
import { ConsoleNotFoundError } from '../http/server-errors.ts';

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
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** How files are compressed ahead of time, the best first. */
const GZIP = '.gz';
const ENCODINGS: readonly [string, string][] = [
  ['br', '.br'],
  ['gzip', GZIP],
];

/** The page runs its own scripts and talks to its own hub; images are those of a conversation. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The console as it was when the hub started. It is kept in memory, as small as it can be: a build that replaces the folder
 * cannot give a page scripts of another version, and no path leads anywhere else.
 */
export class ConsoleFiles {
  readonly #files: ReadonlyMap<string, Uint8Array>;
  /** Shared by all who are being answered with it: to inflate it for each would hold everybody up. */
  readonly #inflated = new Map<string, WeakRef<Uint8Array>>();

  private constructor(files: ReadonlyMap<string, Uint8Array>) {
    this.#files = files;
  }

  /** Raises `CONSOLE_NOT_FOUND`. */
  static read(folder: string): ConsoleFiles {
    try {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
      const paths = new Set(
        entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)),
      );
      const files = new Map<string, Uint8Array>();
      for (const path of paths) {
        if (paths.has(path + GZIP)) continue;
        files.set(path.slice(join(folder).length).split(sep).join('/'), readFileSync(path));
      }
      const read = new ConsoleFiles(files);
      if (read.#plain(PAGE)) return read;
    } catch (error) {
      throw new ConsoleNotFoundError(folder, error);
    }
    throw new ConsoleNotFoundError(folder);
  }

  /** Answers with what there is at the path; false when there is nothing. */
  answer(exchange: Exchange): boolean {
    const name = PAGE_ADDRESS.test(exchange.path) ? PAGE : exchange.path;
    const type = TYPES[extname(name)];
    const [encoding, body] = this.#compressed(name, exchange.header('accept-encoding')) ?? [
      undefined,
      this.#plain(name),
    ];
    if (!body || type === undefined) return false;
    exchange.answer(200, type, body, {
      'content-security-policy': POLICY,
      'cache-control': name.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    });
    return true;
  }

  #compressed(name: string, accepted = ''): [string, Uint8Array] | undefined {
    for (const [encoding, ending] of ENCODINGS) {
      const body = this.#files.get(name + ending);
      if (body && new RegExp(`\\b${encoding}\\b(?!;q=0(?:,|$))`).test(accepted)) return [encoding, body];
    }
    return undefined;
  }

  #plain(name: string): Uint8Array | undefined {
    const compressed = this.#files.get(name + GZIP);
    if (!compressed) return this.#files.get(name);
    const known = this.#inflated.get(name)?.deref();
    if (known) return known;
    const inflated = gunzipSync(compressed);
    this.#inflated.set(name, new WeakRef(inflated));
    return inflated;
  }
}
