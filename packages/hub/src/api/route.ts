import type { Limit } from '@signalbox/protocol';
import * as z from 'zod';
import type { Device, Scope } from '../store/device.ts';
import { RequestInvalidError } from './api-errors.ts';
import type { Attempt } from './repeats.ts';

/** A request before anything of it was checked. */
export interface RawCall {
  device: Device;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
  /** Of a request with an idempotency key. */
  attempt?: Attempt;
}

/** A request that fits its route. */
export interface Call<Params, Query, Body> {
  device: Device;
  params: Params;
  query: Query;
  body: Body;
  attempt: Attempt | undefined;
}

/** Lines of JSON, one after the other. */
export const JSONL = 'application/jsonl';

type Method = 'get' | 'post' | 'patch' | 'delete';

interface Description {
  method: Method;
  /** With `{name}` where a parameter is. */
  path: string;
  summary: string;
  /** What its token has to be good for, for the description; the desk decides. */
  scope: Scope;
  status: 200 | 201;
  answer: z.ZodType;
  /** Carried out again after a kill, it finds what it has done and does nothing twice. */
  isRepeatable?: true;
  /** How long its body may be; few are long. */
  size?: Limit;
  /** Its answer may be long: no two of them are made for one device at a time. */
  isLong?: true;
  /** The media types of body and answer; JSON unless told otherwise. A body of lines comes as a stream of bytes. */
  takes?: typeof JSONL;
  gives?: typeof JSONL;
}

interface Definition<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>
  extends Description {
  params: Params;
  query: Query;
  body: Body;
  handle: (call: Call<z.output<Params>, z.output<Query>, z.output<Body>>) => Promise<unknown>;
}

/** A route of the API: what it takes, what it gives, and what it does. Bytes are given as they are. */
export interface Route extends Description {
  params: z.ZodType;
  query: z.ZodType;
  body: z.ZodType;
  serve: (call: RawCall) => Promise<unknown>;
}

/** Make a route whose requests are checked before they are handled. */
export function route<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  definition: Definition<Params, Query, Body>,
): Route {
  const { handle, ...rest } = definition;
  return {
    ...rest,
    serve: ({ device, params, query, body, attempt }) =>
      handle({
        device,
        attempt,
        params: checked('the path', definition.params, params),
        query: checked('the query', definition.query, query),
        body: checked('the body', definition.body, body),
      }),
  };
}

/** The value as the schema has it. Raises `REQUEST_INVALID`. */
export function checked<Schema extends z.ZodType>(
  what: string,
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const outcome = z.safeParse(schema, value);
  if (outcome.success) return outcome.data;
  const [issue] = outcome.error.issues;
  const place = issue?.path.length ? `${what}, at ${issue.path.join('.')}` : what;
  throw new RequestInvalidError(`${place}: ${issue?.message ?? 'invalid'}`);
}

/** What a route without parameters, query or body takes. */
export const nothing = z.unknown();
