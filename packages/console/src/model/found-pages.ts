import { isJsonObject, listAt, parseJson, textAt } from '@signalbox/protocol';
import type { CallItem } from './item.ts';
import { webAddress } from './web-address.ts';

/** A page that a search of the web found. */
export interface FoundPage {
  title: string;
  href: string;
  host: string;
}

/** The links of an answer that is text alone. */
const LINKS = /^Links: (\[.*\])$/m;

/** What a search of the web found, as its agent tells it beside the text or in it; no page twice. */
export function pagesIn({ result }: CallItem): FoundPage[] {
  const told = listAt(result?.structured, 'results').flatMap((part) => listAt(part, 'content'));
  const links = told.length > 0 ? told : linksIn(result?.text ?? '');
  const pages = new Map<string, FoundPage>();
  for (const link of links) {
    const address = webAddress(textAt(link, 'url'));
    if (address) pages.set(address.href, { title: textAt(link, 'title') || address.host, ...address });
  }
  return [...pages.values()];
}

function linksIn(text: string): unknown[] {
  const [, list] = LINKS.exec(text) ?? [];
  if (list === undefined) return [];
  try {
    const links: unknown = parseJson(list);
    return Array.isArray(links) ? links.filter(isJsonObject) : [];
  } catch {
    // What an agent cut short is still there as text.
    return [];
  }
}
