import { objectAt, textAt } from '@signalbox/protocol';
import type { PromptContent } from 'signalbox/hub';
import { blocksIn, textIn } from '../model/content.ts';
import type { Draft } from './drafts.ts';

/** What a prompt may carry: in base64, a model takes 5 MB an image, and the hub 32 MB a prompt. */
export const MAX_IMAGES = 5;
export const MAX_IMAGE_BYTES = 3.5 * 1024 * 1024;

const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** An image to send along. */
export interface Attachment {
  id: string;
  name: string;
  mediaType: string;
  /** Base64. */
  data: string;
}

/** The images among some files, and why others cannot be sent. */
export async function readImages(
  files: Iterable<File>,
  room: number,
): Promise<{ images: Attachment[]; problem: string }> {
  const images: Attachment[] = [];
  const problems: string[] = [];
  for (const file of files) {
    if (!TYPES.includes(file.type)) problems.push(`${file.name} is no PNG, JPEG, GIF or WebP.`);
    else if (file.size > MAX_IMAGE_BYTES) problems.push(`${file.name} is larger than 3.5 MB.`);
    else if (images.length >= room) problems.push(`A prompt takes ${MAX_IMAGES} images.`);
    else images.push(await readImage(file));
  }
  return { images, problem: problems[0] ?? '' };
}

/** What is sent: words, or words with images. */
export function contentOf({ text, images }: Draft): PromptContent {
  if (images.length === 0) return text;
  return [
    ...images.map(({ mediaType, data }) => ({
      type: 'image' as const,
      source: { type: 'base64', media_type: mediaType, data },
    })),
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
  return { text: textIn(blocks), images };
}

async function readImage(file: File): Promise<Attachment> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')));
    reader.readAsDataURL(file);
  });
  return {
    id: crypto.randomUUID(),
    name: file.name,
    mediaType: file.type,
    data: address.slice(address.indexOf(',') + 1),
  };
}
