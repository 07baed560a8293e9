import * as z from 'zod';
import { MAX_PAGE_ITEMS } from '../page-limits.ts';
import { SCOPES } from '../scope.ts';
import { SESSION_ID } from '../session-id.ts';

// What the other schemas are made of.

export const time = z.number().describe('milliseconds since 1970');

export const words = z.string().min(1).max(1000);

export const sessionId = z.string().regex(SESSION_ID).describe('letters, digits, ".", "_", ":" and "-"');

export const scope = z.enum(SCOPES).describe('each includes those before it');

export const anyObject = z.record(z.string(), z.unknown());

/** A number in an address. */
export function count(most?: number) {
  const number = z.coerce.number<number>().int().min(1);
  return most === undefined ? number : number.max(most);
}

export const pageQuery = {
  after: z.string().exactOptional().describe('the `next` of the page before'),
  limit: count(MAX_PAGE_ITEMS).exactOptional(),
};

/** A page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next: z.string().exactOptional() });
}
