import { hasMoreValues, isJsonObject, type JsonObject, LIMITS, type WireLine } from '@signalbox/protocol';
import type { AskParent } from '@signalbox/protocol/hub';

/** How many tool calls, and how many sub-agents, of a session are remembered; the oldest are forgotten first. */
const MAX_REMEMBERED = 10_000;

/** How much is remembered of what a sub-agent does, and of what it is called. */
const MAX_WORDS = 1000;

const TOOL_USE = Buffer.from('"tool_use"');

type Start = Omit<AskParent, 'agentId'>;

/** Which sub-agent of a session makes which tool call, and what started it: told from what the agent says. */
export class SubAgents {
  /** By the tool call that started a sub-agent. */
  readonly #starts = new Map<string, Start>();
  /** The call that started a sub-agent, by the sub-agent's id and by each of its own calls. */
  readonly #startedBy = new Map<string, string>();

  hear(line: WireLine): void {
    // A call that is too long to be asked about is nobody's.
    if (line.byteLength > LIMITS.askBytes.most) return;
    const head = line.head();
    const isStart = head.type === 'system' && head.subtype === 'task_started';
    // Most replies call no tool: they need not be parsed.
    const isCall = head.type === 'assistant' && viewOf(line.bytes()).includes(TOOL_USE);
    if (!isStart && !isCall) return;
    const message = messageIn(line);
    if (isStart) this.#noteStart(message);
    else for (const block of blocksIn(message)) this.#noteCall(block, message.parent_tool_use_id);
  }

  /** Who asks `request`; null when it is the session's own agent. */
  parentOf({ agent_id, tool_use_id }: JsonObject): AskParent | null {
    const agentId = textOf(agent_id);
    const startId = this.#startedBy.get(textOf(tool_use_id) ?? '') ?? this.#startedBy.get(agentId ?? '');
    if (agentId === null && startId === undefined) return null;
    const unknown: Start = { toolUseId: startId ?? null, agentType: null, description: null };
    return { agentId, ...unknown, ...this.#starts.get(startId ?? '') };
  }

  #noteStart({ task_id, tool_use_id: id, subagent_type: agentType, description }: JsonObject): void {
    if (!isId(task_id) || !isId(id)) return;
    remember(this.#startedBy, task_id, id);
    remember(this.#starts, id, {
      toolUseId: id,
      agentType: wordsOf(agentType),
      description: wordsOf(description),
    });
  }

  #noteCall({ id, input }: JsonObject, parent: unknown): void {
    if (!isId(id)) return;
    if (isId(parent)) remember(this.#startedBy, id, parent);
    if (!isJsonObject(input) || typeof input.subagent_type !== 'string') return;
    const { subagent_type: agentType, description } = input;
    remember(this.#starts, id, {
      toolUseId: id,
      agentType: wordsOf(agentType),
      description: wordsOf(description),
    });
  }
}

function viewOf(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes;
  const { buffer, byteOffset, byteLength } = bytes;
  return Buffer.from(buffer, byteOffset, byteLength);
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_REMEMBERED && oldest !== undefined) map.delete(oldest);
}

function blocksIn({ message }: JsonObject): JsonObject[] {
  const content = isJsonObject(message) && Array.isArray(message.content) ? message.content : [];
  return content.filter(isJsonObject).filter(({ type }) => type === 'tool_use');
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** What may be asked about has an id of this length at most. */
function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LIMITS.requestIdLength.most;
}

/** A copy: a part of a long text would keep all of it in memory. */
function wordsOf(value: unknown): string | null {
  return typeof value === 'string' ? Buffer.from(value.slice(0, MAX_WORDS)).toString() : null;
}

function messageIn(line: WireLine): JsonObject {
  try {
    const message = hasMoreValues(line.text(), LIMITS.bodyValues.most) ? undefined : line.json();
    return isJsonObject(message) ? message : {};
  } catch {
    return {};
  }
}
