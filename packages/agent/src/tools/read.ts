import { open, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import * as z from 'zod/mini';
import { assertUnmoved } from '../base/real-path.ts';
import { systemCode, ToolFailure } from '../base/tool-failure.ts';
import { missingFile } from './files/missing-file.ts';
import { imageTypeOf, readImage } from './files/read-image.ts';
import { readNotebook } from './files/read-notebook.ts';
import { isPdf, readPdf } from './files/read-pdf.ts';
import { DEFAULT_LINES, MAX_LINE_CHARS, MAX_PAGE_CHARS, readText } from './files/read-text.ts';
import { defineTool, type ToolResult } from './tool.ts';

/** A zero byte in this much of a file makes it binary. */
const LOOKED_AT_BYTES = 8192;

export const readTool = defineTool({
  name: 'Read',
  description: [
    'Read a file: text, images (PNG, JPEG, GIF, WebP), PDF documents, and Jupyter notebooks with their outputs.',
    `- Text comes with line numbers, from 1, each followed by a tab. You get at most ${DEFAULT_LINES} lines and ${MAX_PAGE_CHARS} characters at a time; read on with \`offset\` (the first line) and \`limit\` (how many). Lines are cut after ${MAX_LINE_CHARS} characters.`,
    '- Prefer absolute paths. For folders use Glob, or ls in Bash. Read several files in one go where you can.',
  ].join('\n'),
  input: z.object({
    file_path: z.string(),
    offset: z.optional(z.number().check(z.nonnegative())),
    limit: z.optional(z.number().check(z.positive())),
  }),
  isReadOnly: true,
  fileField: 'file_path',
  async run(
    { file_path, offset = 1, limit = DEFAULT_LINES },
    { session, signal, paths: [path = file_path] },
  ) {
    const stats = await stat(path).catch(async (error: unknown) => {
      if (systemCode(error) === 'ENOENT') throw await missingFile(path, session);
      throw error;
    });
    if (stats.isDirectory()) {
      throw new ToolFailure(`${path} is a directory. List it with Glob, or with ls in Bash.`);
    }
    if (!stats.isFile()) throw new ToolFailure(`${path} is a device, pipe or socket, which cannot be read.`);
    const range = { offset: Math.max(1, Math.floor(offset)), limit: Math.floor(limit) };
    const result = await readAs(path, stats.size, range, signal);
    // What was read is handed over only if it is what was judged.
    assertUnmoved(path);
    session.files.saw(path, stats);
    return result;
  },
});

async function readAs(
  path: string,
  size: number,
  range: { offset: number; limit: number },
  signal: AbortSignal,
): Promise<ToolResult> {
  const head = await headOf(path);
  const imageType = imageTypeOf(head);
  if (imageType) return readImage(path, imageType, size);
  if (isPdf(head)) return readPdf(path, size);
  if (extname(path).toLowerCase() === '.ipynb') return readNotebook(path, size);
  if (head.includes(0)) {
    throw new ToolFailure(
      `${path} is a binary file${extname(path) && ` (${extname(path)})`}, which Read cannot show. Look at it with file, xxd or strings in Bash.`,
    );
  }
  return readText(path, range, signal);
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOOKED_AT_BYTES), 0, LOOKED_AT_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
