import { readFile } from 'node:fs/promises';
import { ToolFailure } from '../../base/tool-failure.ts';
import type { ToolResult } from '../tool.ts';

/** The Messages API takes an image of up to 5 MiB of base64, which is three quarters of that in bytes. */
export const MAX_IMAGE_BYTES = (5 * 1024 * 1024 * 3) / 4;

/** The kinds of image that the Messages API takes. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** What an image begins with. Names are not trusted: the API refuses an image that is not what it is said to be. */
export function imageTypeOf(head: Buffer): ImageType | undefined {
  const start = head.toString('latin1', 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  return undefined;
}

/** An image, for the model to look at. */
export async function readImage(path: string, type: ImageType, size: number): Promise<ToolResult> {
  if (size > MAX_IMAGE_BYTES) {
    throw new ToolFailure(
      `${path} has ${size} bytes; an image may have ${MAX_IMAGE_BYTES}. Make a smaller copy with Bash and read that.`,
    );
  }
  const base64 = await readFile(path, 'base64');
  return {
    content: [{ type: 'image', source: { type: 'base64', media_type: type, data: base64 } }],
    structured: { type: 'image', file: { base64, type, originalSize: size } },
  };
}
