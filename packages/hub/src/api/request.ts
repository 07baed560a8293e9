import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { HeaderReader } from '../auth/gatekeeper.ts';
import { BodyTooLongError, ContentTypeError, RequestInvalidError } from './api-errors.ts';

/** What the HTTP side of the hub runs on. */
export type Env = { Bindings: HttpBindings };

export function headersOf(context: Context<Env>): HeaderReader {
  return (name) => context.req.header(name);
}

/**
 * The body as text and as a value; none is undefined. Raises `CONTENT_TYPE` for what a form of another site could
 * send, and `REQUEST_INVALID`.
 */
export async function bodyIn(context: Context<Env>): Promise<{ text: string; value: unknown }> {
  const text = await textIn(context);
  if (text === '') return { text, value: undefined };
  expectType(context, 'application/json');
  try {
    return { text, value: JSON.parse(text) };
  } catch {
    throw new RequestInvalidError('the body is not JSON');
  }
}

/** The body as it comes; who stops reading can go on where they left. */
export function bytesIn(context: Context<Env>): AsyncIterable<Uint8Array> {
  const { body } = context.req.raw;
  return {
    async *[Symbol.asyncIterator]() {
      if (body) yield* body.values({ preventCancel: true });
    },
  };
}

/** Raises `CONTENT_TYPE`. */
export function expectType(context: Context<Env>, expected: string): void {
  const [type = ''] = (context.req.header('content-type') ?? '').split(';');
  if (type.trim().toLowerCase() !== expected) throw new ContentTypeError(expected);
}

async function textIn(context: Context<Env>): Promise<string> {
  try {
    return await context.req.text();
  } catch (error) {
    if (error instanceof BodyTooLongError) throw error;
    throw new RequestInvalidError('the body breaks off');
  }
}
