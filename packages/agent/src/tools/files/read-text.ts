import { createReadStream } from 'node:fs';
import { headOf } from '../../base/cut-text.ts';
import type { ToolResult } from '../tool.ts';

/** How many lines are read unless the model asks for others, how long each may be, and all of them together. */
export const DEFAULT_LINES = 2000;
export const MAX_LINE_CHARS = 2000;
export const MAX_PAGE_CHARS = 100_000;

/** No character takes more bytes. */
const MAX_LINE_BYTES = MAX_LINE_CHARS * 4;

const LINE_FEED = 10;

/** Some lines of a text of any size. */
export async function readText(
  path: string,
  { offset, limit }: { offset: number; limit: number },
  signal: AbortSignal,
): Promise<ToolResult> {
  const { lines, totalLines } = await readLines(path, offset, limit, signal);
  const numbered = lines.map((line, index) => `${offset + index}\t${line}`);
  const nextLine = offset + lines.length;
  const isWhole = nextLine > totalLines;
  const notes = [
    ...(totalLines === 1 && lines[0] === '' ? ['The file is empty.'] : []),
    ...(offset > totalLines ? [`The file has only ${totalLines} lines.`] : []),
    ...(isWhole ? [] : [`There are ${totalLines} lines; read on with offset ${nextLine}.`]),
  ];
  return {
    content: [...numbered, ...notes.map((note) => `<system-reminder>${note}</system-reminder>`)].join('\n'),
    structured: {
      type: 'text',
      file: {
        filePath: path,
        content: lines.join('\n'),
        numLines: lines.length,
        startLine: offset,
        totalLines,
      },
    },
  };
}

/** The file is read to its end, to know how long it is; what is kept of it is bounded. */
async function readLines(
  path: string,
  offset: number,
  limit: number,
  signal: AbortSignal,
): Promise<{ lines: string[]; totalLines: number }> {
  const lines: string[] = [];
  let totalLines = 0;
  let room = MAX_PAGE_CHARS;
  let parts: Buffer[] = [];
  let held = 0;
  const isWanted = (): boolean => totalLines + 1 >= offset && lines.length < limit && room > 0;
  const hold = (part: Buffer): void => {
    if (held <= MAX_LINE_BYTES && isWanted()) parts.push(Buffer.from(part.subarray(0, MAX_LINE_BYTES + 1)));
    held += part.length;
  };
  const endLine = (): void => {
    if (isWanted()) {
      const line = shown(Buffer.concat(parts).toString('utf8'), totalLines === 0);
      room -= line.length + 1;
      if (room >= 0) lines.push(line);
    }
    totalLines += 1;
    parts = [];
    held = 0;
  };
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 256 * 1024 })) {
    const bytes: Buffer = chunk;
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      hold(bytes.subarray(start, end));
      endLine();
      start = end + 1;
    }
    hold(bytes.subarray(start));
  }
  endLine();
  return { lines, totalLines };
}

function shown(line: string, isFirst: boolean): string {
  const text = (isFirst ? line.replace(/^\uFEFF/, '') : line).replace(/\r$/, '');
  return text.length > MAX_LINE_CHARS ? `${headOf(text, MAX_LINE_CHARS)}… (line cut)` : text;
}
