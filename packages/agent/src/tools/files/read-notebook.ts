import { readFile } from 'node:fs/promises';
import { messageOf, parseJson } from '@signalbox/protocol';
import * as z from 'zod/mini';
import { headOf } from '../../base/cut-text.ts';
import { ToolFailure } from '../../base/tool-failure.ts';
import type { ToolResult } from '../tool.ts';
import { MAX_IMAGE_BYTES } from './read-image.ts';

/** A notebook larger than this is not read, and an output longer than this is cut. */
export const MAX_NOTEBOOK_BYTES = 20 * 1024 * 1024;
export const MAX_CELL_OUTPUT_CHARS = 10_000;

const text = z.union([
  z.string(),
  z.pipe(
    z.array(z.string()),
    z.transform((lines: string[]) => lines.join('')),
  ),
]);

const output = z.object({
  output_type: z.string(),
  text: z.optional(text),
  data: z.optional(z.record(z.string(), z.unknown())),
  ename: z.optional(z.string()),
  evalue: z.optional(z.string()),
  traceback: z.optional(z.array(z.string())),
});

const notebook = z.object({
  cells: z.array(
    z.object({
      cell_type: z.string(),
      id: z.optional(z.string()),
      source: text,
      execution_count: z.optional(z.nullable(z.number())),
      outputs: z.optional(z.array(output)),
    }),
  ),
  metadata: z.optional(z.object({ language_info: z.optional(z.object({ name: z.string() })) })),
});

interface CellOutput {
  output_type: string;
  text?: string;
  image?: { image_data: string; media_type: 'image/png' | 'image/jpeg' };
}

/** The cells of a Jupyter notebook, with what they printed and drew. */
export async function readNotebook(path: string, size: number): Promise<ToolResult> {
  if (size > MAX_NOTEBOOK_BYTES) {
    throw new ToolFailure(
      `${path} has ${size} bytes; a notebook may have ${MAX_NOTEBOOK_BYTES}. Look at it with jq in Bash.`,
    );
  }
  const { cells, metadata } = await parse(path);
  const language = metadata?.language_info?.name ?? 'python';
  const shown = cells.map((cell, index) => {
    const isCode = cell.cell_type === 'code';
    return {
      cellType: cell.cell_type,
      source: cell.source,
      ...(isCode && cell.execution_count ? { execution_count: cell.execution_count } : {}),
      cell_id: cell.id ?? `cell-${index}`,
      ...(isCode ? { language } : {}),
      ...(isCode && cell.outputs?.length ? { outputs: cell.outputs.map(outputOf) } : {}),
    };
  });
  const content = shown.flatMap(({ cell_id, cellType, source, outputs = [] }) => [
    textBlock(`<cell id="${cell_id}" type="${cellType}">\n${source}\n</cell>`),
    ...outputs.flatMap(({ text: said, image }) => [
      ...(said ? [textBlock(`<output>\n${said}\n</output>`)] : []),
      ...(image ? [imageBlock(image)] : []),
    ]),
  ]);
  return {
    content: content.length > 0 ? content : 'The notebook has no cells.',
    structured: { type: 'notebook', file: { filePath: path, cells: shown } },
  };
}

async function parse(path: string): Promise<z.infer<typeof notebook>> {
  try {
    return z.parse(notebook, parseJson(await readFile(path, 'utf8')));
  } catch (error) {
    throw new ToolFailure(`${path} is not a Jupyter notebook: ${messageOf(error)}`, error);
  }
}

function outputOf({ output_type, data = {}, ...rest }: z.infer<typeof output>): CellOutput {
  const said =
    output_type === 'error'
      ? [`${rest.ename ?? 'Error'}: ${rest.evalue ?? ''}`, ...(rest.traceback ?? [])].join('\n')
      : (rest.text ?? plain(data['text/plain']));
  const image = imageOf(data);
  return { output_type, ...(said ? { text: cut(said) } : {}), ...(image ? { image } : {}) };
}

function imageOf(data: Record<string, unknown>): CellOutput['image'] {
  for (const media_type of ['image/png', 'image/jpeg'] as const) {
    const image_data = plain(data[media_type]).replaceAll(/\s/g, '');
    if (image_data !== '' && image_data.length * 0.75 <= MAX_IMAGE_BYTES) return { image_data, media_type };
  }
  return undefined;
}

function plain(value: unknown): string {
  const parsed = z.safeParse(text, value);
  return parsed.success ? parsed.data : '';
}

function cut(said: string): string {
  const dropped = said.length - MAX_CELL_OUTPUT_CHARS;
  return dropped > 0 ? `${headOf(said, MAX_CELL_OUTPUT_CHARS)}\n… ${dropped} more characters` : said;
}

function textBlock(words: string) {
  return { type: 'text' as const, text: words };
}

function imageBlock({ image_data, media_type }: NonNullable<CellOutput['image']>) {
  return { type: 'image' as const, source: { type: 'base64' as const, media_type, data: image_data } };
}
