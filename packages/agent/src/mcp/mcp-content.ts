import { isJsonObject, textAt } from '@signalbox/protocol';
import { headOf } from '../base/cut-text.ts';
import { imageTypeOf, MAX_IMAGE_BYTES } from '../tools/files/read-image.ts';
import type { ToolResult } from '../tools/tool.ts';
import type { McpCallResult, McpResourceContents } from './mcp-connection.ts';
import type { ListedResource } from './mcp-lists.ts';

/** How much of an answer the model reads, in tokens, unless `MAX_MCP_OUTPUT_TOKENS` says otherwise. */
export const MAX_OUTPUT_TOKENS = 25_000;

/** How many characters count as a token. */
const CHARS_PER_TOKEN = 4;

/** How many images of one answer the model sees, and how long they may be together, as base64: hosts get them twice in one line. */
export const MAX_IMAGES = 20;
const MAX_IMAGES_LENGTH = 16 * 1024 * 1024;

/** A longer structure is told to nobody but the model, which reads its beginning: no host would take the line. */
const MAX_STRUCTURED_LENGTH = 8 * 1024 * 1024;

type Block = Extract<ToolResult['content'], readonly unknown[]>[number];

/** What the model reads of an answer: text up to a limit, and images that it can see. */
export function toolResultOf(result: McpCallResult, serverName: string, maxTokens: number): ToolResult {
  const content = result.content ?? [];
  const { structuredContent } = result;
  if (!structuredContent) {
    const blocks = limited(
      content.flatMap((item) => blocksOf(item, serverName)),
      maxTokens,
    );
    return { content: blocks, structured: blocks, ...(result.isError ? { isError: true } : {}) };
  }
  // Its text is the same once more, for clients that cannot read structures.
  const others = content.filter((item) => !isJsonObject(item) || item.type !== 'text');
  const structure = JSON.stringify(structuredContent);
  const blocks = [textBlock(structure), ...others.flatMap((item) => blocksOf(item, serverName))];
  const shown = limited(blocks, maxTokens);
  return {
    content: shown,
    structured: {
      content: shown,
      ...(structure.length > MAX_STRUCTURED_LENGTH ? {} : { structuredContent }),
    },
    ...(result.isError ? { isError: true } : {}),
  };
}

/** What the model reads of a list of resources. */
export function resourceListOf(resources: readonly ListedResource[], maxTokens: number): ToolResult {
  if (resources.length === 0) return { content: 'There are no resources.', structured: [] };
  return { content: limited([textBlock(JSON.stringify(resources))], maxTokens), structured: resources };
}

/** What the model reads of a resource. */
export function resourceResultOf({ contents }: McpResourceContents, maxTokens: number): ToolResult {
  const images = contents.flatMap(({ blob }) => (typeof blob === 'string' ? (imageOf(blob) ?? []) : []));
  const shown = contents.map(({ blob, ...rest }) =>
    typeof blob === 'string' ? { ...rest, blob: `${bytesOf(blob)} bytes that are not shown as text` } : rest,
  );
  const text = textBlock(JSON.stringify({ contents: shown }));
  return { content: limited([text, ...images], maxTokens), structured: { contents: shown } };
}

/** What a message of a prompt says, in words. */
export function promptTextOf(content: unknown, serverName: string): string {
  return [content]
    .flat()
    .flatMap((item) => blocksOf(item, serverName))
    .map((block) => (block.type === 'text' ? block.text : `[Image from ${serverName}]`))
    .join('\n');
}

function blocksOf(item: unknown, serverName: string): Block[] {
  if (!isJsonObject(item)) return [textBlock(JSON.stringify(item))];
  switch (item.type) {
    case 'text':
      return typeof item.text === 'string' && item.text.trim() !== '' ? [textBlock(item.text)] : [];
    case 'image':
      return [
        imageOf(textAt(item, 'data')) ??
          textBlock(`[Image from ${serverName} that cannot be shown: ${kindOf(item)}]`),
      ];
    case 'audio':
      return [textBlock(`[Audio from ${serverName} that cannot be shown: ${kindOf(item)}]`)];
    case 'resource_link':
      return [textBlock(`[Resource link: ${textAt(item, 'name')}] ${textAt(item, 'uri')}`)];
    case 'resource':
      return resourceBlocks(isJsonObject(item.resource) ? item.resource : {}, serverName);
    default:
      return [textBlock(JSON.stringify(item))];
  }
}

function resourceBlocks(resource: Record<string, unknown>, serverName: string): Block[] {
  const origin = `[Resource from ${serverName} at ${textAt(resource, 'uri')}]`;
  if (typeof resource.text === 'string') return [textBlock(`${origin} ${resource.text}`)];
  const image = imageOf(textAt(resource, 'blob'));
  return image ? [textBlock(origin), image] : [textBlock(`${origin} cannot be shown: ${kindOf(resource)}`)];
}

function kindOf(item: Record<string, unknown>): string {
  return `${textAt(item, 'mimeType') || 'unknown type'}, ${bytesOf(textAt(item, 'data') || textAt(item, 'blob'))} bytes`;
}

function bytesOf(base64: string): number {
  return Buffer.byteLength(base64, 'base64');
}

/** Undefined for what the Messages API would refuse, and the whole conversation with it. */
function imageOf(base64: string): Block | undefined {
  const type = imageTypeOf(Buffer.from(base64.slice(0, 64), 'base64'));
  const isSound = bytesOf(base64) <= MAX_IMAGE_BYTES && /^[A-Za-z0-9+/]+={0,2}$/.test(base64);
  return type && isSound
    ? { type: 'image', source: { type: 'base64', media_type: type, data: base64 } }
    : undefined;
}

function dataOf(block: Block): string {
  return block.type === 'image' && block.source.type === 'base64' ? block.source.data : '';
}

function textBlock(text: string): Block & { type: 'text' } {
  return { type: 'text', text };
}

function limited(blocks: readonly Block[], maxTokens: number): Block[] {
  const maxChars = maxTokens * CHARS_PER_TOKEN;
  const kept: Block[] = [];
  let chars = 0;
  let images = 0;
  let imagesLength = 0;
  let leftOut = 0;
  for (const block of blocks) {
    if (block.type === 'text') {
      const text = headOf(block.text, Math.max(0, maxChars - chars));
      chars += block.text.length;
      if (text !== '') kept.push(textBlock(text));
    } else {
      const { length } = dataOf(block);
      if (images < MAX_IMAGES && imagesLength + length <= MAX_IMAGES_LENGTH) {
        kept.push(block);
        images += 1;
        imagesLength += length;
      } else leftOut += 1;
    }
  }
  if (chars > maxChars) {
    kept.push(
      textBlock(
        `[Cut: the answer has ${chars} characters, and ${maxChars} are shown (MAX_MCP_OUTPUT_TOKENS=${maxTokens}). Ask for less: a page, a filter, a smaller range.]`,
      ),
    );
  }
  if (leftOut > 0) kept.push(textBlock(`[${leftOut} more images are not shown.]`));
  return kept.length > 0 ? kept : [textBlock('(no output)')];
}
