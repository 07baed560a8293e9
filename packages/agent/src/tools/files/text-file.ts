import type { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { ToolFailure } from '../../base/tool-failure.ts';

/** A file larger than this is not edited, and not kept in a result as what it was. */
export const MAX_EDITED_BYTES = 10 * 1024 * 1024;

const BOM = '\uFEFF';

/** A text with line feeds only, and what it takes to write it as it was. */
export interface TextFile {
  readonly text: string;
  readonly hasBom: boolean;
  readonly lineEnd: '\n' | '\r\n';
  readonly stats: Stats;
}

/** The text of a file; undefined when there is none. Refuses what is not UTF-8: it would not survive being written. */
export async function readTextFile(path: string): Promise<TextFile | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats) return undefined;
  if (stats.isDirectory()) throw new ToolFailure(`${path} is a directory, not a file.`);
  if (!stats.isFile()) throw new ToolFailure(`${path} is not a regular file.`);
  if (stats.size > MAX_EDITED_BYTES) {
    throw new ToolFailure(
      `${path} has ${stats.size} bytes; the limit is ${MAX_EDITED_BYTES}. Change it with Bash.`,
    );
  }
  const raw = decode(await readFile(path), path);
  const hasBom = raw.startsWith(BOM);
  const lineEnd = hasOnlyCrLf(raw) ? '\r\n' : '\n';
  const body = hasBom ? raw.slice(BOM.length) : raw;
  return { text: lineEnd === '\r\n' ? body.replaceAll('\r\n', '\n') : body, hasBom, lineEnd, stats };
}

/** The text as the file has it: with its line ends and its byte order mark. */
export function asInFile(text: string, { hasBom, lineEnd }: Pick<TextFile, 'hasBom' | 'lineEnd'>): string {
  const body = lineEnd === '\r\n' ? text.replaceAll(/\r?\n/g, '\r\n') : text;
  return hasBom && !body.startsWith(BOM) ? BOM + body : body;
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new ToolFailure(`${path} is not UTF-8 text. Change it with Bash.`, error);
  }
}

/** A file with both kinds of line ends is left as it is. */
function hasOnlyCrLf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}
