import { attachedText, MAX_FILE_BYTES, MAX_FILES, tooLong } from '../model/attached-file.ts';
import type { Draft, FileAttachment, ImageAttachment } from '../model/draft.ts';
import { t } from '../words/t.ts';

/** What a prompt may carry: in base64, a model takes 5 MB an image, and the hub 32 MB a prompt. */
export const MAX_IMAGES = 5;
export const MAX_IMAGE_BYTES = 3.5 * 1024 * 1024;

const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** What goes with a prompt beside its words. */
export type Attachments = Pick<Draft, 'images' | 'files'>;

/** What some files become, and why others cannot be sent. `known` is what the prompt has already. */
export async function readAttachments(
  files: Iterable<File>,
  known: Attachments,
): Promise<Attachments & { problem: string }> {
  const images: ImageAttachment[] = [];
  const texts: FileAttachment[] = [];
  const problems: string[] = [];
  for (const file of files) {
    if (TYPES.includes(file.type)) {
      if (file.size > MAX_IMAGE_BYTES) problems.push(t.compose.tooLarge(file.name));
      else if (known.images.length + images.length >= MAX_IMAGES)
        problems.push(t.compose.tooManyImages(MAX_IMAGES));
      else images.push(await readImage(file));
    } else if (known.files.length + texts.length >= MAX_FILES) {
      problems.push(t.compose.tooManyFiles(MAX_FILES));
    } else {
      const { name } = file;
      const isLong = file.size > MAX_FILE_BYTES;
      const read = isLong ? tooLong(name) : attachedText(name, new Uint8Array(await file.arrayBuffer()));
      if (typeof read === 'string') problems.push(read);
      else texts.push({ ...read, id: crypto.randomUUID() });
    }
  }
  return { images, files: texts, problem: problems[0] ?? '' };
}

async function readImage(file: File): Promise<ImageAttachment> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error(t.compose.unreadable)));
    reader.readAsDataURL(file);
  });
  return {
    id: crypto.randomUUID(),
    name: file.name,
    mediaType: file.type,
    data: address.slice(address.indexOf(',') + 1),
  };
}
