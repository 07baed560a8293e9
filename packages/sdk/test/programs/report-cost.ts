import { type Options, query, type SDKMessage, type SDKResultMessage } from 'signalbox';

/** Runs a prompt and says what it cost. */
export async function reportCost(prompt: string): Promise<string> {
  const options: Options = {
    model: 'sonnet',
    maxTurns: 3,
    allowedTools: ['Read', 'Grep'],
    systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be brief.' },
    settingSources: ['project'],
    mcpServers: { files: { type: 'stdio', command: 'server', args: ['--read-only'], env: { A: '1' } } },
    stderr: (data: string) => void data.trim(),
  };
  let last: SDKResultMessage | undefined;
  const texts: string[] = [];
  for await (const message of query({ prompt, options })) {
    describe(message);
    if (message.type === 'assistant') {
      for (const block of message.message.content) {
        if (block.type === 'text') texts.push(block.text);
        else if (block.type === 'tool_use') texts.push(`${block.name} ${JSON.stringify(block.input)}`);
        else if (block.type === 'thinking') texts.push(block.thinking);
      }
    }
    if (message.type === 'result') last = message;
  }
  if (last?.subtype === 'success') return `${last.result}: $${last.total_cost_usd.toFixed(4)}`;
  const tokens = (last?.usage.input_tokens ?? 0) + (last?.usage.cache_read_input_tokens ?? 0);
  return `${last?.errors.join(', ')} after ${last?.num_turns} turns and ${tokens} tokens, ${texts.length} texts`;
}

function describe(message: SDKMessage): string {
  switch (message.type) {
    case 'system':
      if (message.subtype === 'init')
        return `${message.model} in ${message.cwd} with ${message.tools.length} tools`;
      if (message.subtype === 'compact_boundary')
        return `compacted at ${message.compact_metadata.pre_tokens}`;
      return message.subtype;
    case 'user':
      return typeof message.message.content === 'string' ? message.message.content : 'blocks';
    case 'stream_event':
      return message.event.type === 'content_block_delta' && message.event.delta.type === 'text_delta'
        ? message.event.delta.text
        : message.event.type;
    case 'tool_progress':
      return `${message.tool_name} for ${message.elapsed_time_seconds} s`;
    default:
      return message.type;
  }
}
