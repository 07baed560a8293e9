import * as z from 'zod';
import type { Limit } from '../../limits.ts';
import { sessionId } from '../schema/values.ts';
import type { Scope } from '../scope.ts';
import type { ProblemCode } from './problem.ts';

/** Lines of JSON, one after the other. */
export const JSONL = 'application/jsonl';

/** A copy of the hub's database. */
export const DATABASE = 'application/vnd.sqlite3';

/** What the parts of a path in braces have to be. */
const PARAMS = {
  session: sessionId,
  prompt: z.string(),
  request: z.string(),
  device: z.string(),
  loop: sessionId,
  comment: z.string(),
} as const;

type ParamName = keyof typeof PARAMS;

/** What the API has at one method and path. A part that is left out is not looked at. */
export interface Route {
  summary: string;
  /** What its token has to be good for, at least: one that is not is refused before anything of the request is read. */
  scope: Scope;
  query?: z.ZodType;
  body?: z.ZodType;
  status?: 200 | 201;
  answer: z.ZodType;
  /** What it may be refused with beside what any request may be. */
  errors?: readonly ProblemCode[];
  /** Carried out again after a kill, it finds what it has done and does nothing twice. */
  isRepeatable?: true;
  /** How long its body may be; few are long. */
  size?: Limit;
  /** Its answer may be long: no two of them are made for one device at a time. */
  isLong?: true;
  /** A long one that waits for something beside the hub, such as git: what the hub knows itself does not wait behind it. */
  isSlow?: true;
  /** The media types of body and answer; JSON unless told otherwise. A body of lines comes as a stream of bytes. */
  takes?: typeof JSONL;
  gives?: typeof JSONL | typeof DATABASE | 'text/plain';
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Routes by method and path; a path has the name of a parameter in braces. */
export type RouteTable = Record<`${Method} /${string}`, Route>;

/** The names in braces of a path. */
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** What a path has in the places of the names in braces. */
export type Params<Key> = { [Name in NamesIn<Key>]: string };

/** A key of the table in its parts. */
export function partsOf(key: string): { method: string; path: string } {
  const [method = '', path = ''] = key.split(' ');
  return { method, path };
}

/** The schema of what a path has in its braces. */
export function paramsOf(path: string): z.ZodObject {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  return z.object(
    Object.fromEntries(names.map((name) => [name, isParamName(name) ? PARAMS[name] : z.string()])),
  );
}

function isParamName(name: string): name is ParamName {
  return Object.hasOwn(PARAMS, name);
}

/** Whether a request may have a body. */
export function takesBody(method: string): boolean {
  return method === 'POST' || method === 'PATCH';
}
