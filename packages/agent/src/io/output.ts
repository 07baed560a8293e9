import { encodeAgentMessage, type OutboundAgentMessage } from '@signalbox/protocol';
import type { Transport } from '@signalbox/transport';
import type { Output } from '../base/host.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';

/** Every message as a line, as soon as there is one. */
export function streamOutput(transport: Transport): Output {
  return {
    write: (message) => transport.send(encodeAgentMessage(message)),
    finish: () => transport.close(),
  };
}

/** Nothing until the end; then the result's text, the result, or with `--verbose` all messages. */
export function printedOutput(options: AgentOptions, print: (text: string) => Promise<void>): Output {
  const messages: OutboundAgentMessage[] = [];
  let result: OutboundAgentMessage | undefined;
  return {
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
