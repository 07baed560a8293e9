import { rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Conversation } from '../api/conversation.ts';
import { RecordingFullError, RecordingWriteError } from '../errors.ts';
import { SCENARIO_BYTES_LIMIT } from '../scenario/load.ts';
import { type ScenarioInput, STOP_REASONS } from '../scenario/schema.ts';
import { scrub } from './secrets.ts';
import type { WholeMessage } from './whole-message.ts';

type TurnInput = ScenarioInput['turns'][number];
type StepInput = TurnInput['say'][number];
type RecordedBlock = WholeMessage['content'][number];

/** What the turns may fill of a scenario file; the rest is for its head. */
const TURNS_BYTES_LIMIT = SCENARIO_BYTES_LIMIT - 64 * 1024;

function isOnly(block: RecordedBlock, keys: readonly string[]): boolean {
  return Object.keys(block).every((key) => key === 'type' || keys.includes(key));
}

function stepOf(block: RecordedBlock): StepInput {
  const { type, text, thinking, signature, name, input, id } = block;
  if (type === 'text' && typeof text === 'string' && isOnly(block, ['text'])) return { text };
  if (type === 'thinking' && typeof thinking === 'string' && typeof signature === 'string')
    return { thinking, signature };
  if (
    type === 'tool_use' &&
    typeof name === 'string' &&
    typeof id === 'string' &&
    isOnly(block, ['id', 'name', 'input'])
  ) {
    return { tool: name, input: Object.fromEntries(Object.entries(input ?? {})), id };
  }
  return { block };
}

function whenOf({ prompt, toolResults }: Conversation): TurnInput['when'] {
  const tool = toolResults.at(-1)?.tool;
  if (prompt !== undefined) return { user: { equals: prompt } };
  return tool ? { tool_result: { tool } } : 'any';
}

function turnOf(conversation: Conversation, message: WholeMessage): TurnInput {
  const { usage } = message;
  const stopReason = STOP_REASONS.find((reason) => reason === message.stop_reason);
  return {
    when: whenOf(conversation),
    times: 1,
    say: message.content.map(stepOf),
    ...(stopReason ? { stop_reason: stopReason } : {}),
    usage: {
      input_tokens: usage.input_tokens ?? 0,
      cache_creation_input_tokens: usage.cache_creation_input_tokens ?? 0,
      cache_read_input_tokens: usage.cache_read_input_tokens ?? 0,
      output_tokens: usage.output_tokens ?? 0,
    },
  };
}

/** Line by line: a regular expression with `^` would also find U+2028, inside of strings. */
function indent(json: string): string {
  return json
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}

/** A scenario file that grows by one turn for every reply; whole at any moment. */
export class Recording {
  readonly #file: string;
  readonly #turns: string[] = [];
  #size = 0;
  #saved: Promise<void> = Promise.resolve();

  private constructor(file: string) {
    this.#file = file;
  }

  /** Creates the file; an existing one is never written over. */
  static async create(file: string): Promise<Recording> {
    const recording = new Recording(file);
    try {
      await writeFile(file, recording.#text(), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw new RecordingWriteError(file, error);
    }
    return recording;
  }

  /** Takes the file back, when nothing was recorded after all. */
  async discard(): Promise<void> {
    await rm(this.#file, { force: true });
  }

  /** Adds a turn and saves; the client's `secrets` are cut out of it wherever they appear. */
  async add(conversation: Conversation, message: WholeMessage, secrets: readonly string[]): Promise<void> {
    const turn = indent(scrub(JSON.stringify(turnOf(conversation, message), undefined, 2), secrets));
    const size = this.#size + Buffer.byteLength(turn);
    if (size > TURNS_BYTES_LIMIT) throw new RecordingFullError(this.#file, 'a reply that no longer fits');
    this.#size = size;
    this.#turns.push(turn);
    this.#saved = this.#saved.catch(() => undefined).then(() => this.#save());
    await this.#saved;
  }

  #text(): string {
    const name = basename(this.#file).replace(/\.json$/, '');
    const head = { name, description: 'recorded from a Messages API', templates: false };
    const turns = this.#turns.join(',\n');
    return `${JSON.stringify(head, undefined, 2).slice(0, -2)},\n  "turns": [\n${turns}\n  ]\n}\n`;
  }

  async #save(): Promise<void> {
    const temporary = `${this.#file}.${process.pid}.tmp`;
    try {
      await writeFile(temporary, this.#text(), { mode: 0o600 });
      await rename(temporary, this.#file);
    } catch (error) {
      throw new RecordingWriteError(this.#file, error);
    }
  }
}
