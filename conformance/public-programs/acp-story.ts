import { type JsonObject, textAt } from '@signalbox/protocol';
import { check } from '../check.ts';
import { fieldsOf } from '../messages.ts';
import { AcpClient, type Choice } from './acp-client.ts';
import type { PublicProgram } from './public-program.ts';
import type { Scene, Story } from './story.ts';

/** What an editor shows of one prompt. */
interface EditorTurn {
  readonly said: string;
  readonly thought: string;
  readonly tools: readonly JsonObject[];
  readonly asked: readonly JsonObject[];
  /** What its usage display says last. */
  readonly usage: JsonObject | undefined;
  readonly end: JsonObject;
}

/** An editor with one conversation. */
class Editor {
  readonly client: AcpClient;
  readonly sessionId: string;

  constructor(client: AcpClient, sessionId: string) {
    this.client = client;
    this.sessionId = sessionId;
  }

  /** A prompt and what is shown of it; `stopWhen` says when the person presses stop. */
  async prompt(text: string, choice: Choice = 'allow_once', stopWhen?: () => boolean): Promise<EditorTurn> {
    const { client, sessionId } = this;
    client.choice = choice;
    const [firstUpdate, firstAsked] = [client.updates.length, client.asked.length];
    const ending = client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    if (stopWhen) {
      await client.until(stopWhen);
      await client.cancel(sessionId);
    }
    const end = await ending.catch((error: Error) => ({ refused: error.message }));
    return turnOf(client.updates.slice(firstUpdate), client.asked.slice(firstAsked), end);
  }
}

function turnOf(updates: readonly JsonObject[], asked: readonly JsonObject[], end: JsonObject): EditorTurn {
  const ofKind = (kind: string): JsonObject[] =>
    updates.filter(({ sessionUpdate }) => sessionUpdate === kind);
  const words = (kind: string): string =>
    ofKind(kind)
      .map(({ content }) => textAt(content, 'text'))
      .join('');
  const tools = new Map<unknown, JsonObject>();
  for (const { sessionUpdate: _, ...update } of updates) {
    const id = update['toolCallId'];
    if (id !== undefined) tools.set(id, { ...tools.get(id), ...update });
  }
  return {
    said: words('agent_message_chunk'),
    thought: words('agent_thought_chunk'),
    tools: [...tools.values()],
    asked,
    usage: ofKind('usage_update').at(-1),
    end,
  };
}

/** A person in an editor talks, lets files be changed, refuses a command, and stops an answer and a question. */
async function editorStory({ stage, program, agent, env }: Scene): Promise<unknown> {
  const file = await stage.write(stage.path('notes.txt'), 'one\n');
  await stage.write(stage.path('.claude/commands/greet.md'), 'say hello $ARGUMENTS');
  const client = await AcpClient.start('node', [program.path('dist/index.js')], {
    cwd: stage.folder,
    env: { ...env, CLAUDE_CODE_EXECUTABLE: agent },
  });
  stage.onLeave(() => client.close());
  const greeting = await client.request('initialize', { protocolVersion: 1, clientCapabilities: {} });
  const session = await client.request('session/new', { cwd: stage.folder, mcpServers: [] });
  const editor = new Editor(client, textAt(session, 'sessionId'));
  const isAsked = (): boolean => JSON.stringify(client.asked.at(-1) ?? '').includes('touch open');
  const turns = {
    talk: await editor.prompt('say hello'),
    think: await editor.prompt('think it over'),
    command: await editor.prompt('/greet you'),
    read: await editor.prompt(`read ${file}`),
    edit: await editor.prompt(`edit ${file} one=>two`),
    write: await editor.prompt(`write ${stage.path('new.txt')} text`),
    run: await editor.prompt('run touch made && echo out && echo err >&2 && ls none'),
    refuse: await editor.prompt('run touch never', 'reject_once'),
    stopText: await editor.prompt('slow 2000', 'allow_once', () => isText(client.updates.at(-1), 'w')),
    stopQuestion: await editor.prompt('run touch open', 'wait', isAsked),
    after: await editor.prompt('say still here'),
  };
  check(turns.talk.said === 'hello', `the editor shows ${JSON.stringify(turns.talk)}`);
  check((await stage.read(file)) === 'two\n', 'the file was not edited');
  const files = { new: await stage.read(stage.path('new.txt')), never: await stage.has('never') };
  // How far the text came before the person stopped it is chance.
  return {
    greeting,
    session,
    turns: { ...turns, stopText: { ...turns.stopText, said: turns.stopText.said.startsWith('w0 ') } },
    files,
  };
}

function isText(update: unknown, part: string): boolean {
  const { sessionUpdate, content } = fieldsOf(update);
  return sessionUpdate === 'agent_message_chunk' && textAt(content, 'text').includes(part);
}

/** Three generations of the adapter that editors start. */
const ADAPTERS: readonly PublicProgram[] = [
  { name: '@zed-industries/claude-code-acp', version: '0.16.2' },
  { name: '@agentclientprotocol/claude-agent-acp', version: '0.44.0' },
  { name: '@agentclientprotocol/claude-agent-acp', version: '0.99.1' },
];

const DIFFERENCES = {
  'session\\.(models\\.availableModels|configOptions\\.model)\\..*':
    'each agent lists the models that it knows, in its own words',
  'session\\.(modes\\.availableModes|configOptions\\.mode\\.options)\\.auto':
    'ours has no mode in which a second model judges permissions',
  'turns\\.(edit|write)\\.tools\\.\\w+\\.rawOutput':
    'what a tool tells the model is in the words of each agent',
  'turns\\.\\w+\\.asked\\.0\\.(toolCall\\.locations|options\\.allow(_always|-with-updates).*)':
    'for "always allow" ours offers a rule for exactly this command, `claude` a wider one',
  'turns\\.(refuse|stopQuestion)\\.tools\\.\\w+\\.(content|rawOutput).*':
    'a call that was refused and stopped is told in the words of each agent',
  'turns\\.stopQuestion\\.tools\\.\\w+\\._meta\\.claudeCode\\.nonExecutionKind':
    'who stops answers the open question and interrupts at once: which comes first decides the word, with `claude` as well',
  'turns\\.refuse\\.end\\.refused':
    '`claude` shows a diagnostic of its own, ours that the turn was interrupted',
};

export const editorStories: readonly Story[] = ADAPTERS.map((program) => ({
  program,
  name: 'an editor talks, edits, asks, refuses and stops',
  usesSdk: true,
  differences: DIFFERENCES,
  play: editorStory,
}));
