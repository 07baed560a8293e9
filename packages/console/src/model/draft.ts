import { objectAt, textAt } from '@signalbox/protocol';
import type { PromptContent } from '@signalbox/protocol/hub';
import { type AttachedFile, fileBlock } from './attached-file.ts';
import { blocksIn, promptIn } from './content.ts';

/** An image to send along. */
export interface ImageAttachment {
  id: string;
  name: string;
  mediaType: string;
  /** Base64. */
  data: string;
}

/** A file to send along as text. */
export interface FileAttachment extends AttachedFile {
  id: string;
}

/** What was written and not sent. */
export interface Draft {
  text: string;
  images: readonly ImageAttachment[];
  files: readonly FileAttachment[];
}

export const EMPTY: Draft = { text: '', images: [], files: [] };

/** Two drafts in one: what was written first is on top. */
export function before(first: Draft, second: Draft): Draft {
  return {
    text: [first.text, second.text].filter((words) => words.trim() !== '').join('\n'),
    images: [...first.images, ...second.images],
    files: [...first.files, ...second.files],
  };
}

/** What is sent: words, or words with images and files. */
export function contentOf({ text, images, files }: Draft): PromptContent {
  if (images.length === 0 && files.length === 0) return text;
  return [
    ...images.map(({ mediaType, data }) => ({
      type: 'image' as const,
      source: { type: 'base64', media_type: mediaType, data },
    })),
    ...files.map(fileBlock),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
  ];
}

/** What was written when this was sent. */
export function draftIn(content: PromptContent): Draft {
  const blocks = blocksIn({ content });
  const images = blocks.flatMap((block) => {
    const source = objectAt(block, 'source');
    const [mediaType, data] = [textAt(source, 'media_type'), textAt(source, 'data')];
    return data === '' ? [] : [{ id: crypto.randomUUID(), name: 'image', mediaType, data }];
  });
  const { text, files } = promptIn(blocks);
  return { text, images, files: files.map((file) => ({ ...file, id: crypto.randomUUID() })) };
}
