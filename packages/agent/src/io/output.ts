import { encodeAgentMessage, type OutboundAgentMessage } from '@signalbox/protocol';
import type { Transport } from '@signalbox/transport';
import type { Output } from '../base/host.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';

/** Every message as a line, as soon as there is one. */
export function streamOutput(transport: Transport): Output {
  const lost = new AbortController();
  return {
    lost: lost.signal,
    async write(message) {
      const line = encodeAgentMessage(message);
      // Much is told without waiting for it: a rejection would have nobody to hear it, and end the process.
      await transport.send(line).catch((error: unknown) => lost.abort(error));
    },
    async finish() {
      await transport.close().catch((error: unknown) => lost.abort(error));
    },
  };
}

/** Nothing until the end; then the result's text, the result, or with `--verbose` all messages. */
export function printedOutput(options: AgentOptions, print: (text: string) => Promise<void>): Output {
  const messages: OutboundAgentMessage[] = [];
  let result: OutboundAgentMessage | undefined;
  return {
    lost: new AbortController().signal,
    async write(message) {
      if (message.type === 'result') result = message;
      // Only who asked for all of them pays for keeping them.
      if (options.verbose && options.outputFormat === 'json') messages.push(message);
    },
    async finish() {
      if (options.outputFormat === 'text') await print(`${textOf(result, options)}\n`);
      else await print(`${JSON.stringify(options.verbose ? messages : result)}\n`);
    },
  };
}

function textOf(result: OutboundAgentMessage | undefined, options: AgentOptions): string {
  if (result?.type !== 'result') return 'Execution error';
  if (result.subtype === 'success') return result.result;
  if (result.subtype === 'error_max_turns') return `Error: Reached max turns (${options.maxTurns})`;
  if (result.subtype === 'error_max_budget_usd')
    return `Error: Exceeded USD budget (${options.maxBudgetUsd})`;
  return ['Execution error', ...result.errors].join('\n');
}
