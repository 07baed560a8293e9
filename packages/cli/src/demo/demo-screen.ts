import { createInterface } from 'node:readline/promises';
import type { TurnView } from '@signalbox/chat';
import {
  type AgentMessage,
  type ControlRequestBody,
  isJsonObject,
  spokenName,
  textAt,
} from '@signalbox/protocol';
import { prettyPrint, type SDKMessage } from 'signalbox';
import { commandHere } from '../own-command.ts';
import { fitted } from '../wrap-words.ts';

/** Where a demonstration is shown: on a terminal as the chat would, in a pipe as the messages of it. */
export class DemoScreen {
  readonly #view: TurnView | undefined;
  readonly #answersYes: boolean;

  private constructor(view: TurnView | undefined, answersYes: boolean) {
    this.#view = view;
    // Nobody can answer where there is no terminal.
    this.#answersYes = answersYes || !view || !process.stdin.isTTY;
  }

  /** Says what is about to happen. */
  static async open(folder: string, prompt: string, answersYes: boolean): Promise<DemoScreen> {
    process.stdout.write(
      `signalbox demo: a real agent on a scripted model, without a key or a network\n\n❯ ${prompt}\n\n`,
    );
    const { hasTerminal, TurnView } = await import('@signalbox/chat');
    const hasView = hasTerminal(process.stdout);
    return new DemoScreen(
      hasView ? new TurnView(process.stdout, folder, { isScripted: true }) : undefined,
      answersYes,
    );
  }

  show(message: AgentMessage): void {
    if (this.#view) this.#view.take(message);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an SDK message is what an agent says
    else if (message.type !== 'stream_event') prettyPrint(message as SDKMessage);
  }

  /** Whether the tool may be used; all that it would do is shown first. */
  async mayUse(request: ControlRequestBody, signal: AbortSignal): Promise<boolean> {
    const view = this.#view;
    if (!view || this.#answersYes) {
      view?.note('allowed without asking');
      return true;
    }
    const input = isJsonObject(request.input) ? request.input : {};
    const tool = textAt(request, 'tool_name');
    view.preview({ tool_name: tool, input });
    return view.aside(async () => {
      const lines = createInterface({ input: process.stdin, output: process.stdout });
      const left = new AbortController();
      lines.once('close', () => left.abort());
      try {
        const answer = await lines.question(`? Allow ${spokenName(tool)}? [Y/n] `, {
          signal: AbortSignal.any([signal, left.signal]),
        });
        return !/^n/i.test(answer.trim());
      } catch {
        return false;
      } finally {
        lines.close();
      }
    });
  }

  close(endedWell: boolean): void {
    this.#view?.close();
    const words = endedWell
      ? `✓ That was signalbox-agent, driven as any host drives claude -p.\n  Next: ${commandHere('up')} runs the hub and its page.`
      : '✗ The session did not end well.';
    process.stdout.write(`\n${fitted(words, process.stdout)}\n`);
  }
}
