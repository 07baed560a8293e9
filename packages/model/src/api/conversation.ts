import { blocksOf, type CountTokensRequest, type RequestBlock, type RequestMessage } from './request.ts';

/** A tool's answer, with the name of the tool that gave it. */
export interface ToolResult {
  readonly tool: string;
  readonly text: string;
  readonly isError: boolean;
}

/** What a script can see of a request. */
export interface Conversation {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly string[];
  /** What the user said since the model's last reply; undefined when nothing but tool results came. */
  readonly prompt: string | undefined;
  /** The tool results that the model has to answer: since its last reply, and not talked over by a new prompt. */
  readonly toolResults: readonly ToolResult[];
  /** The newest words of the user, however long ago. */
  readonly lastUserText: string;
  /** How many replies of the model the conversation already holds. */
  readonly replies: number;
  /** The working directory the agent told its model about, else `.`. */
  readonly cwd: string;
}

const REMINDER = /<system-reminder>[\s\S]*?<\/system-reminder>/g;
const LOCAL_COMMAND = /^<(?:local-command-|command-)/;
const WORKING_DIRECTORY = /working directory: *(\S.*)/i;

function textOf(block: RequestBlock): string {
  return typeof block['text'] === 'string' ? block['text'] : '';
}

/** Agents mix notes of their own into the user's message: those are not what the user said. */
function spokenText(block: RequestBlock): string {
  if (block.type !== 'text') return '';
  const text = textOf(block).replace(REMINDER, '').trim();
  return LOCAL_COMMAND.test(text) ? '' : text;
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content.replace(REMINDER, '').trimEnd();
  if (!Array.isArray(content)) return '';
  const texts = content.map((part: unknown) =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string'
      ? part.text
      : '',
  );
  return texts.filter(Boolean).join('\n').replace(REMINDER, '').trimEnd();
}

function toolNames(messages: readonly RequestMessage[]): Map<unknown, string> {
  const names = new Map<unknown, string>();
  for (const message of messages) {
    for (const block of blocksOf(message.content)) {
      if (block.type === 'tool_use') names.set(block['id'], String(block['name']));
    }
  }
  return names;
}

function countReplies(messages: readonly RequestMessage[]): number {
  const roles = messages.map((message) => message.role).filter((role) => role !== 'system');
  return roles.filter((role, i) => role === 'assistant' && roles[i - 1] !== 'assistant').length;
}

/** Reads a request the way a script wants to see it. */
export function readConversation(request: CountTokensRequest): Conversation {
  const { messages } = request;
  const lastReply = messages.findLastIndex((message) => message.role === 'assistant');
  const userBlocks = (from: number) =>
    messages
      .slice(from)
      .filter((message) => message.role === 'user')
      .flatMap((message) => blocksOf(message.content));

  const fresh = userBlocks(lastReply + 1);
  const names = toolNames(messages);
  // After an interrupt the results of a stopped turn come together with the next prompt: that is what counts.
  const lastSpoken = fresh.findLastIndex((block) => spokenText(block) !== '');
  const toolResults = fresh
    .slice(lastSpoken + 1)
    .filter((block) => block.type === 'tool_result')
    .map((block) => ({
      tool: names.get(block['tool_use_id']) ?? '',
      text: resultText(block['content']),
      isError: block['is_error'] === true,
    }));

  const system = [
    ...blocksOf(request.system),
    ...messages
      .filter((message) => message.role === 'system')
      .flatMap((message) => blocksOf(message.content)),
  ]
    .map(textOf)
    .join('\n');

  return {
    model: request.model,
    system,
    tools: (request.tools ?? []).flatMap((tool) => tool.name ?? []),
    prompt: fresh.map(spokenText).findLast(Boolean),
    toolResults,
    lastUserText: userBlocks(0).map(spokenText).findLast(Boolean) ?? '',
    replies: countReplies(messages),
    cwd: WORKING_DIRECTORY.exec(system)?.[1]?.trim() ?? '.',
  };
}
