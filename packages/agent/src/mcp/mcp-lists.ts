import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { type JsonObject, messageOf } from '@signalbox/protocol';
import * as z from 'zod/mini';
import { $ZodError } from 'zod/v4/core';
import { compileSchema } from '../tools/schema/json-schema.ts';
import { McpLimitError, McpServerFailedError } from './mcp-errors.ts';

/** How many tools, prompts or resources are taken from one server. */
export const MAX_LISTED = 10_000;

/** How much of a list is taken: a server could describe each of its tools by a book. */
export const MAX_LIST_CHARS = 16 * 1024 * 1024;

/** How many pages a list may have: a server may hand out empty ones for ever. */
const MAX_PAGES = 1000;

const tool = z.object({
  name: z.string().check(z.minLength(1)),
  title: z.nullish(z.string()),
  description: z.nullish(z.string()),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z.nullish(z.record(z.string(), z.unknown())),
  execution: z.nullish(z.object({ taskSupport: z.nullish(z.string()) })),
});

const prompt = z.object({
  name: z.string().check(z.minLength(1)),
  description: z.nullish(z.string()),
  arguments: z.nullish(
    z.array(
      z.object({ name: z.string(), description: z.nullish(z.string()), required: z.nullish(z.boolean()) }),
    ),
  ),
});

const resource = z.looseObject({ uri: z.string(), name: z.nullish(z.string()) });

/** A tool as its server describes it. */
export type ListedTool = z.infer<typeof tool>;

/** A prompt as its server describes it. */
export type ListedPrompt = z.infer<typeof prompt>;

/** A resource as its server describes it. */
export type ListedResource = z.infer<typeof resource>;

/** Where lists come from, and who hears of what is wrong with them. */
export interface ListContext {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  onProblem(text: string): void;
}

/** How many problems of one list are told. */
const MAX_PROBLEMS = 10;

/** The server's tools. One that a model could not be told about is left out: it would spoil the others' request. */
export function listTools(context: ListContext): Promise<ListedTool[]> {
  return list('tools', tool, context, ({ inputSchema, execution }) => {
    compileSchema(inputSchema);
    if (execution?.taskSupport === 'required')
      throw new McpServerFailedError('It works only as a task, which is not supported.');
  });
}

export function listPrompts(context: ListContext): Promise<ListedPrompt[]> {
  return list('prompts', prompt, context);
}

export function listResources(context: ListContext): Promise<ListedResource[]> {
  return list('resources', resource, context);
}

/** All pages of a list. What cannot be used is left out by itself; the library would refuse the whole page. */
async function list<Schema extends z.ZodMiniType>(
  what: 'tools' | 'prompts' | 'resources',
  schema: Schema,
  context: ListContext,
  assertUsable: (item: z.infer<Schema>) => void = () => {},
): Promise<z.infer<Schema>[]> {
  const page = z.object({ [what]: z.array(z.unknown()), nextCursor: z.nullish(z.string()) });
  const items: z.infer<Schema>[] = [];
  const problems: string[] = [];
  let cursor: string | null | undefined;
  let pages = 0;
  let chars = 0;
  do {
    const params = typeof cursor === 'string' ? { params: { cursor } } : {};
    const options = { signal: context.signal, timeout: context.timeoutMs };
    const answer: JsonObject = await context.client.request(
      { method: `${what}/list`, ...params },
      page,
      options,
    );
    for (const item of Array.isArray(answer[what]) ? answer[what] : []) {
      chars += JSON.stringify(item).length;
      if (chars > MAX_LIST_CHARS) break;
      try {
        const usable = z.parse(schema, item);
        assertUsable(usable);
        items.push(usable);
      } catch (error) {
        problems.push(`${nameOf(item)} of its ${what} is left out. ${reasonOf(error)}`);
      }
    }
    cursor = typeof answer.nextCursor === 'string' ? answer.nextCursor : undefined;
    pages += 1;
  } while (
    cursor !== undefined &&
    items.length <= MAX_LISTED &&
    pages < MAX_PAGES &&
    chars <= MAX_LIST_CHARS
  );
  if (items.length > MAX_LISTED || cursor !== undefined || chars > MAX_LIST_CHARS)
    context.onProblem(
      new McpLimitError(
        `it lists too many ${what}`,
        `${MAX_LISTED} on ${MAX_PAGES} pages with ${MAX_LIST_CHARS} characters`,
      ).message,
    );
  for (const problem of problems.slice(0, MAX_PROBLEMS)) context.onProblem(problem);
  if (problems.length > MAX_PROBLEMS)
    context.onProblem(`${problems.length} of its ${what} are left out in all.`);
  return items.slice(0, MAX_LISTED);
}

function nameOf(item: unknown): string {
  const { name, uri } = Object(item);
  return JSON.stringify(name ?? uri ?? item ?? null).slice(0, 100);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof $ZodError)) return messageOf(error);
  return `Its field "${error.issues[0]?.path.join('.')}" is wrong or missing.`;
}
