import type { ContentBlock, JsonObject } from '@signalbox/protocol';
import type { ToolCard } from '../cards/tool-card.ts';

/** The tool calls that are running, and those of their sub-agents under them. */
export class CallBoard {
  /** The main agent's calls, the oldest first. */
  readonly running: ToolCard[] = [];
  readonly #byId = new Map<string, ToolCard>();

  start(call: { id: string; name: string; input: JsonObject }, parentId: string | null | undefined): void {
    if (this.#byId.has(call.id)) return;
    const card: ToolCard = { ...call, state: 'running', calls: [], text: '', structured: undefined };
    if (parentId) {
      // The calls of an agent that works in the background have no card to stand under.
      const parent = this.#byId.get(parentId);
      if (!parent) return;
      parent.calls.push(card);
    } else this.running.push(card);
    this.#byId.set(card.id, card);
  }

  /** Whether a call is running. */
  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** A result came. Returns the card when it is one of the main agent's, which is then done with. */
  finish(result: Extract<ContentBlock, { type: 'tool_result' }>, structured: unknown): ToolCard | undefined {
    const card = this.#byId.get(result.tool_use_id);
    if (!card) return undefined;
    card.state = result.is_error === true ? 'failed' : 'done';
    card.text = resultText(result.content);
    card.structured = structured;
    return this.#remove(card);
  }

  /** The turn is over: what has no result yet will not get one. */
  stopAll(): ToolCard[] {
    return this.running.splice(0).map((card) => {
      this.#forget(card);
      return { ...card, state: 'failed', text: card.text || 'It was stopped.' };
    });
  }

  #remove(card: ToolCard): ToolCard | undefined {
    const at = this.running.indexOf(card);
    if (at < 0) return undefined;
    this.running.splice(at, 1);
    this.#forget(card);
    return card;
  }

  #forget(card: ToolCard): void {
    this.#byId.delete(card.id);
    for (const call of card.calls) this.#forget(call);
  }
}

function resultText(content: Extract<ContentBlock, { type: 'tool_result' }>['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .map((block) => (block.type === 'text' ? block.text : `[${String(block.type)}]`))
    .join('\n');
}
