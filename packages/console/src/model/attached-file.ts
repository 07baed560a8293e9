import { textAt } from '@signalbox/protocol';
import { t } from '../words/t.ts';

/** A file that goes with a prompt as text. */
export interface AttachedFile {
  name: string;
  text: string;
}

/** Files are words of the prompt, which a model reads whole: longer ones are better named by `@` and read in parts. */
export const MAX_FILES = 10;
export const MAX_FILE_BYTES = 100 * 1024;

const INSTEAD = t.model.putIntoFolder;

/** How a file stands in a prompt: agents read it as it is, and pages know it again. */
const FILE = /^<attached-file name="([^"<>\n]*)">\n([\s\S]*)\n<\/attached-file>$/;

/** The block of a prompt that a file becomes. */
export function fileBlock({ name, text }: AttachedFile): { type: 'text'; text: string } {
  const plainName = name.replaceAll(/["<>\p{C}]/gu, '_');
  return { type: 'text', text: `<attached-file name="${plainName}">\n${text}\n</attached-file>` };
}

/** The file that a block of a prompt is; undefined for any other block. */
export function fileIn(block: unknown): AttachedFile | undefined {
  const [, name, text] = FILE.exec(textAt(block, 'text')) ?? [];
  return name === undefined || text === undefined ? undefined : { name, text };
}

/** A file as it goes along; or why it cannot, and what to do instead. */
export function attachedText(name: string, bytes: Uint8Array): AttachedFile | string {
  if (bytes.length > MAX_FILE_BYTES) return tooLong(name);
  const text = wordsIn(bytes);
  if (text === undefined) return t.model.wrongType(name, INSTEAD);
  return { name, text };
}

export function tooLong(name: string): string {
  return t.model.tooLarge(name, INSTEAD);
}

/** Undefined for bytes that nobody would read as words. */
function wordsIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\u0000') ? undefined : text;
  } catch {
    return undefined;
  }
}
