import { readFile } from 'node:fs/promises';
import { ToolFailure } from '../../base/tool-failure.ts';
import type { ToolResult } from '../tool.ts';

/** A request to the Messages API may have 32 MB, of which base64 needs a third. */
export const MAX_PDF_BYTES = 20 * 1024 * 1024;

/** The Messages API takes documents of up to 100 pages. */
export const MAX_PDF_PAGES = 100;

export function isPdf(head: Buffer): boolean {
  return head.toString('latin1', 0, 5) === '%PDF-';
}

/** A document, for the model to look at. */
export async function readPdf(path: string, size: number): Promise<ToolResult> {
  const hint = 'Take the pages you need out of it with Bash (qpdf, pdftotext) and read those.';
  if (size > MAX_PDF_BYTES) {
    throw new ToolFailure(`${path} has ${size} bytes; a PDF may have ${MAX_PDF_BYTES}. ${hint}`);
  }
  const bytes = await readFile(path);
  const pages = pagesOf(bytes);
  if (pages > MAX_PDF_PAGES) {
    throw new ToolFailure(`${path} has ${pages} pages; a PDF may have ${MAX_PDF_PAGES}. ${hint}`);
  }
  const base64 = bytes.toString('base64');
  return {
    content: [
      { type: 'text', text: `PDF file: ${path} (${size} bytes)` },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: base64 } },
    ],
    structured: { type: 'pdf', file: { filePath: path, base64, originalSize: size } },
  };
}

/** As far as it can be told without unpacking it: a page tree in a compressed part counts as none. */
function pagesOf(bytes: Buffer): number {
  const text = bytes.toString('latin1');
  const counts = Array.from(
    text.matchAll(/\/Type\s*\/Pages\b[^>]*?\/Count\s+(\d+)|\/Count\s+(\d+)[^>]*?\/Type\s*\/Pages\b/g),
    (found) => Number(found[1] ?? found[2]),
  );
  return counts.reduce((most, count) => Math.max(most, count), 0);
}
