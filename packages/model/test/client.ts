import { afterEach } from 'vitest';
import { z } from 'zod';
import type { ScenarioInput, ScriptedModel } from '../src/index.ts';
import { startScriptedModel } from '../src/index.ts';

const open = new Set<ScriptedModel>();

afterEach(async () => {
  await Promise.all([...open].map((one) => one.close()));
  open.clear();
});

/** A scripted model that is closed when the test is over. */
export async function model(
  scenario: string | ScenarioInput,
  options: { latencyMs?: number } = {},
): Promise<ScriptedModel> {
  const started = await startScriptedModel({ scenario, ...options });
  open.add(started);
  return started;
}

/** A model with turns and nothing else. */
export function turns(...list: ScenarioInput['turns']): Promise<ScriptedModel> {
  return model({ name: 'test', turns: list });
}

export type Body = Record<string, unknown>;

export function user(content: unknown, rest: Body = {}): Body {
  return { model: 'claude-test', max_tokens: 1000, messages: [{ role: 'user', content }], ...rest };
}

export function post(to: { url: string }, body: unknown, path = '/v1/messages'): Promise<Response> {
  return fetch(`${to.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'sk-test-0123456789abcdef' },
    body: JSON.stringify(body),
  });
}

const usage = z.strictObject({
  input_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  cache_read_input_tokens: z.number(),
  output_tokens: z.number(),
  service_tier: z.string(),
});
const block = z.looseObject({ type: z.string(), id: z.string().optional(), text: z.string().optional() });
const message = z.strictObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(block),
  stop_reason: z.string().nullable(),
  stop_sequence: z.null(),
  usage,
});
const failure = z.strictObject({
  type: z.literal('error'),
  error: z.strictObject({ type: z.string(), message: z.string() }),
  request_id: z.string(),
});
const event = z.looseObject({
  type: z.string(),
  index: z.number().optional(),
  message: message.optional(),
  content_block: block.optional(),
  delta: z
    .looseObject({
      type: z.string().optional(),
      text: z.string().optional(),
      thinking: z.string().optional(),
      signature: z.string().optional(),
      partial_json: z.string().optional(),
    })
    .optional(),
  usage: usage.optional(),
  error: z.looseObject({ type: z.string() }).optional(),
});

export type Message = z.infer<typeof message>;
export type StreamedEvent = z.infer<typeof event>;

/** The whole reply to a request that is not streamed. */
export async function ask(to: { url: string }, body: Body): Promise<Message> {
  return message.parse(await (await post(to, body)).json());
}

/** An answer that refuses, in the form of the API. */
export async function refusal(response: Response): Promise<{ status: number } & z.infer<typeof failure>> {
  return { status: response.status, ...failure.parse(await response.json()) };
}

export interface Frame {
  readonly event: string;
  readonly data: string;
}

/** The frames of a streamed reply, unparsed: a fault may well have made them unparsable. */
export async function frames(response: Response): Promise<Frame[]> {
  return splitFrames(await response.text());
}

export function splitFrames(text: string): Frame[] {
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('event: '))
    .map((frame) => {
      const [name = '', data = ''] = frame.split('\n');
      return { event: name.slice('event: '.length), data: data.slice('data: '.length) };
    });
}

/** The events of a streamed reply. */
export async function stream(to: { url: string }, body: Body): Promise<StreamedEvent[]> {
  const list = await frames(await post(to, { ...body, stream: true }));
  return list.map((frame) => {
    const parsed = event.parse(JSON.parse(frame.data));
    if (parsed.type !== frame.event) throw new Error(`${frame.event} carries data of type ${parsed.type}`);
    return parsed;
  });
}

/** The text of a reply. */
export async function said(to: { url: string }, body: Body): Promise<string> {
  const { content } = await ask(to, body);
  return content.map((one) => one.text ?? '').join('');
}

/** A conversation in which the model called tools and got these results. */
export function afterTools(
  results: { tool: string; content: unknown; is_error?: boolean }[],
  prompt = 'go',
): Body {
  return {
    ...user(''),
    messages: [
      { role: 'user', content: prompt },
      {
        role: 'assistant',
        content: results.map(({ tool }, i) => ({
          type: 'tool_use',
          id: `toolu_${i}`,
          name: tool,
          input: {},
        })),
      },
      {
        role: 'user',
        content: results.map(({ content, is_error }, i) => ({
          type: 'tool_result',
          tool_use_id: `toolu_${i}`,
          content,
          ...(is_error === undefined ? {} : { is_error }),
        })),
      },
    ],
  };
}
