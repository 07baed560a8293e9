// A program that uses the AI SDK's provider for Claude Code: node ai-sdk-driver.ts <provider> <agent> <folder>.
// It prints what it got as JSON. It calls the provider as the AI SDK does, so that the AI SDK need not be installed.
import { pathToFileURL } from 'node:url';

type Settings = Record<string, unknown>;

/** What the AI SDK uses of a provider's model. */
interface Model {
  doGenerate(call: object): Promise<Record<string, unknown>>;
  doStream(call: object): Promise<{ stream: AsyncIterable<Part> }>;
}

interface Part {
  type: string;
  delta?: string;
  error?: unknown;
}

const [provider = '', pathToClaudeCodeExecutable = '', cwd = ''] = process.argv.slice(2);
const { createClaudeCode } = await import(pathToFileURL(provider).href);

function model(settings: Settings = {}): Model {
  const common = { pathToClaudeCodeExecutable, cwd, logger: false, settingSources: [] };
  return createClaudeCode({ defaultSettings: { ...common, ...settings } })(process.env['ANTHROPIC_MODEL']);
}

function promptOf(text: string): object[] {
  return [{ role: 'user', content: [{ type: 'text', text }] }];
}

function failure(error: unknown): object {
  const { name, message, data } = Object(error);
  return { type: name, message, data };
}

/** What the caller of `generateText` gets. */
async function generate(text: string, settings?: Settings, more: object = {}): Promise<Settings> {
  try {
    const reply = await model(settings).doGenerate({ prompt: promptOf(text), ...more });
    const { content, finishReason, usage, providerMetadata, warnings } = reply;
    return { content, finishReason, usage, metadata: Object(providerMetadata)['claude-code'], warnings };
  } catch (error) {
    return { failed: failure(error) };
  }
}

/** What the caller of `streamText` gets, the pieces of a text put together. */
async function stream(text: string, settings?: Settings): Promise<object[]> {
  const parts: Part[] = [];
  try {
    const reply = await model(settings).doStream({ prompt: promptOf(text) });
    for await (const part of reply.stream) {
      const last = parts.at(-1);
      if (part.type === 'error') parts.push({ type: part.type, error: failure(part.error) });
      else if (last?.type === part.type && part.delta !== undefined) last.delta += part.delta;
      else parts.push({ ...part });
    }
  } catch (error) {
    return [...parts, failure(error)];
  }
  return parts;
}

/** A stream that is aborted when its first words are there: what it consists of. */
async function aborted(): Promise<string[]> {
  const stop = new AbortController();
  const kinds = new Set<string>();
  try {
    const call = { prompt: promptOf('slow 2000'), abortSignal: stop.signal };
    for await (const { type } of (await model().doStream(call)).stream) {
      kinds.add(type);
      if (type === 'text-delta') stop.abort();
    }
  } catch (error) {
    kinds.add(Object(error).name);
  }
  return [...kinds];
}

const asked: object[] = [];

/** A person who allows files and nothing else. */
async function canUseTool(toolName: string, input: object): Promise<object> {
  asked.push({ toolName, input });
  if (toolName === 'Write') return { behavior: 'allow', updatedInput: input };
  return { behavior: 'deny', message: 'not today' };
}

const UNASKED = { allowedTools: ['Read', 'Bash'] };
const ASKED = { canUseTool, streamingInput: 'always' };
const schema = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] };

const first = await generate('say hello');
const seen = {
  first,
  streamed: await stream('think about it'),
  goesOn: await generate('say more', { resume: Object(first['metadata']).sessionId }),
  reads: await stream(`read ${cwd}/notes.txt`, UNASKED),
  fails: await stream('run exit 3', UNASKED),
  asks: await stream(`write ${cwd}/new.txt text`, ASKED),
  refused: await stream('run touch never', ASKED),
  limited: await generate('run true', { ...UNASKED, maxTurns: 1 }),
  object: await generate(
    'call StructuredOutput {"answer":42}',
    {},
    { responseFormat: { type: 'json', schema } },
  ),
  aborted: await aborted(),
  asked,
};
process.stdout.write(JSON.stringify(seen));
