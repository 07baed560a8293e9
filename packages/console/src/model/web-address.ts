import { isUrl } from '@signalbox/protocol';

/** An address that a browser may be sent to, written so that its host is what it looks like; else undefined. */
export function webAddress(text: string): { href: string; host: string } | undefined {
  if (!isUrl(text)) return undefined;
  const { protocol, href, host } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? { href, host } : undefined;
}
