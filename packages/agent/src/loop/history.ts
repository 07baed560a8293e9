import type Anthropic from '@anthropic-ai/sdk';

type Content = string | Anthropic.Beta.BetaContentBlockParam[];

/** One message of the conversation. */
export type Message = { role: 'user'; content: Content } | { role: 'assistant'; content: Content };

/** The conversation as the model is sent it: every tool call answered, always. */
export class History {
  #messages: Message[];

  constructor(earlier: readonly Message[] = []) {
    this.#messages = [...earlier];
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The messages with a cache mark at their end, so that the next request pays only for what is new. */
  forRequest(): Message[] {
    const last = this.#messages.at(-1);
    if (!last) return [];
    const blocks =
      typeof last.content === 'string' ? [{ type: 'text' as const, text: last.content }] : last.content;
    const marked = blocks.map((block, index) =>
      index === blocks.length - 1 && (block.type === 'text' || block.type === 'tool_result')
        ? { ...block, cache_control: { type: 'ephemeral' as const } }
        : block,
    );
    return [...this.#messages.slice(0, -1), { ...last, content: marked }];
  }

  /** Begin anew with these. */
  replace(messages: readonly Message[]): void {
    this.#messages = [...messages];
  }

  /** What the model is to know beside what was said. It joins the message that waits for a reply. */
  addNote(text: string): void {
    const block = { type: 'text' as const, text: `<system-reminder>\n${text}\n</system-reminder>` };
    const last = this.#messages.at(-1);
    if (last?.role !== 'user') this.#messages.push({ role: 'user', content: [block] });
    else if (typeof last.content === 'string') last.content = [{ type: 'text', text: last.content }, block];
    else last.content.push(block);
  }

  addPrompt(content: Content): void {
    // What is added to it later must not change what a host sent.
    this.#messages.push({ role: 'user', content: typeof content === 'string' ? content : [...content] });
  }

  addReply(content: readonly Anthropic.Beta.BetaContentBlock[]): void {
    if (content.length > 0) this.#messages.push({ role: 'assistant', content: [...content] });
  }

  /** Results of one reply's calls travel in one message. */
  addToolResult(result: Anthropic.Beta.BetaToolResultBlockParam): void {
    const last = this.#messages.at(-1);
    if (last?.role === 'user' && Array.isArray(last.content) && last.content[0]?.type === 'tool_result') {
      last.content.push(result);
    } else this.#messages.push({ role: 'user', content: [result] });
  }

  /** Open a call again that is the last to be answered. */
  withdrawResult(toolUseId: string): void {
    const last = this.#messages.at(-1);
    if (last?.role !== 'user' || typeof last.content === 'string') return;
    last.content = last.content.filter(
      (block) => block.type !== 'tool_result' || block.tool_use_id !== toolUseId,
    );
    if (last.content.length === 0) this.#messages.pop();
  }

  /** An API that finds an unanswered tool call refuses the whole conversation, from then on. */
  answerOpenCalls(text: string): void {
    const at = this.#messages.findLastIndex(({ role }) => role === 'assistant');
    const reply = this.#messages[at];
    if (!reply || typeof reply.content === 'string') return;
    const answered = new Set(
      this.#messages
        .slice(at + 1)
        .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
        .map((block) => (block.type === 'tool_result' ? block.tool_use_id : '')),
    );
    for (const block of reply.content) {
      if (block.type !== 'tool_use' || answered.has(block.id)) continue;
      this.addToolResult({ type: 'tool_result', tool_use_id: block.id, content: text, is_error: true });
    }
  }
}
