import { isJsonObject, listAt, objectAt, textAt } from '@signalbox/protocol';
import { type AttachedFile, fileIn } from './attached-file.ts';

const IMAGE_TYPES = /^image\/(png|jpeg|gif|webp)$/;

/** The blocks of a message's content; plain text is one block. */
export function blocksIn(message: unknown): readonly unknown[] {
  const content = isJsonObject(message) ? message.content : undefined;
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listAt(message, 'content');
}

/** The words of some content. */
export function textIn(blocks: readonly unknown[]): string {
  return blocks
    .map((block) => textAt(block, 'text'))
    .filter((text) => text !== '')
    .join('\n');
}

/** What somebody wrote, and the files that they sent along as text. */
export function promptIn(blocks: readonly unknown[]): { text: string; files: AttachedFile[] } {
  const files = blocks.flatMap((block) => fileIn(block) ?? []);
  return { text: textIn(blocks.filter((block) => !fileIn(block))), files };
}

/** The images of some content, as addresses that hold their data: nothing is fetched from anywhere. */
export function imagesIn(blocks: readonly unknown[]): string[] {
  return blocks.flatMap((block) => {
    if (textAt(block, 'type') !== 'image') return [];
    const source = objectAt(block, 'source');
    const type = textAt(source, 'media_type');
    return IMAGE_TYPES.test(type) ? [`data:${type};base64,${textAt(source, 'data')}`] : [];
  });
}
