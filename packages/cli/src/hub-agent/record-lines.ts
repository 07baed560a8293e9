import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import { hostShare, replayOf } from '@signalbox/protocol/hub';
import type { EntryMessage, Prompt } from 'signalbox/hub';

const AGENT = { by: 'agent' } as const;

/** What of a session's record a host is told, and what it says about the agent. */
export class RecordLines {
  /** Ids that the host gave its prompts, until they are in the record. */
  readonly #sent = new Set<string>();
  /** The same, by the ids that the hub gave them. */
  readonly #own = new Map<string, string>();
  #commands: string[] = [];
  mode = 'default';

  /** The host sends a prompt with this id. */
  sent(id: string): void {
    this.#sent.add(id);
  }

  /** The hub calls a prompt so. */
  promptIs({ id, clientId }: Prompt): void {
    if (this.#sent.delete(clientId)) this.#own.set(id, clientId);
  }

  /** The line for the host; nothing for what is none of the conversation. */
  lineOf({ author = AGENT, message }: EntryMessage): JsonObject | undefined {
    if (!isJsonObject(message) || typeof message.type !== 'string') return undefined;
    const share = hostShare(author, message.type);
    if (share === 'replay') return this.#promptLine(message);
    if (share !== 'line') return undefined;
    if (message.type !== 'system' || message.subtype !== 'init') return message;
    this.#learn(message);
    // It is the hub that a person comes back through, and not the agent's own sessions.
    return { ...message, session_id: '' };
  }

  /** What `initialize` would say, as far as the record tells. */
  offer(): JsonObject {
    const commands = this.#commands.map((name) => ({ name, description: '', argumentHint: '' }));
    return { commands, models: [], current_permission_mode: this.mode };
  }

  /** A prompt of the host comes back under its own id, and others' as what they are. */
  #promptLine(message: JsonObject): JsonObject {
    const own = typeof message.uuid === 'string' ? this.#own.get(message.uuid) : undefined;
    return replayOf({ ...message, session_id: '', ...(own === undefined ? {} : { uuid: own }) });
  }

  #learn({ slash_commands: commands, permissionMode: mode }: JsonObject): void {
    if (Array.isArray(commands)) this.#commands = commands.filter((name) => typeof name === 'string');
    if (typeof mode === 'string') this.mode = mode;
  }
}
