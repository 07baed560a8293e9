import { ToolFailure } from '../../base/tool-failure.ts';
import { withinTime } from '../search/time-limit.ts';

/** A page that is longer, or takes longer to be turned into Markdown, is only stripped of its tags: nothing else runs meanwhile. */
export const MAX_CONVERTED_CHARS = 2_000_000;
export const CONVERT_TIMEOUT_MS = 3000;

/** A type without a name is judged by its first bytes. */
const LOOKED_AT_BYTES = 8192;

const READABLE = /^text\/|[/+](?:json|xml|x?html|javascript|yaml|x-ndjson)$/;

/** What is no text for anyone who reads. */
const UNREAD = ['script', 'style', 'noscript', 'iframe', 'object', 'canvas', 'template'] as const;

/** A page as Markdown, or as the text that it is. Throws {@link ToolFailure} for what cannot be read. */
export async function pageText(body: Buffer, contentType: string): Promise<string> {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === '' ? body.subarray(0, LOOKED_AT_BYTES).includes(0) : !READABLE.test(type)) {
    throw new ToolFailure(
      `The page is ${type || 'binary data'}, which WebFetch cannot read. Download it with curl in Bash.`,
    );
  }
  const text = decode(body, contentType);
  const isHtml = type === '' ? /^\s*<(?:!doctype|html)/i.test(text) : type.includes('html');
  return isHtml ? markdownOf(text) : text;
}

async function markdownOf(html: string): Promise<string> {
  if (html.length > MAX_CONVERTED_CHARS) return withoutTags(html);
  const { default: Turndown } = await import('turndown');
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  turndown.remove([...UNREAD]);
  const tooLong = new RangeError('The page takes too long.');
  try {
    return withinTime(
      CONVERT_TIMEOUT_MS,
      () => turndown.turndown(html),
      () => tooLong,
    );
  } catch (error) {
    // Tags that nest without end overflow the converter's stack, or take it minutes.
    if (error instanceof RangeError) return withoutTags(html);
    throw error;
  }
}

/** Takes linear time, whatever the page is. */
function withoutTags(html: string): string {
  const [first = '', ...parts] = html.split('<');
  const kept = [first];
  let closing: string | undefined;
  for (const part of parts) {
    const name = /^\/?[a-z]\w{0,15}/i.exec(part)?.[0].toLowerCase() ?? '';
    if (closing === undefined && UNREAD.some((unread) => unread === name)) closing = `/${name}`;
    else if (name === closing) closing = undefined;
    if (closing === undefined) kept.push(part.slice(part.indexOf('>') + 1));
  }
  const lines = kept.join(' ').split('\n');
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
}

/** In the page's own encoding: from its header, or from what it says in its first lines. */
function decode(body: Buffer, contentType: string): string {
  const said = /charset\s*=\s*["']?([\w-]+)/i;
  const name = said.exec(contentType)?.[1] ?? said.exec(body.toString('latin1', 0, 1024))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(name).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}
