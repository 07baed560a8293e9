import type { Thread } from '../loop/thread.ts';
import { modelFacts } from '../model/prices.ts';

/** A token is about so many characters; good enough to say what fills a context. */
const CHARS_PER_TOKEN = 4;

/** What fills the model's context. The total is what the API counted last; the shares are estimates. */
export function contextUsage(thread: Thread) {
  const maxTokens = modelFacts(thread.modelName).contextWindow;
  const system = estimate(thread.systemPrompt().join(''));
  const tools = thread.tools();
  const ofTools = (isMcp: boolean): number =>
    tools
      .filter(({ name }) => name.startsWith('mcp__') === isMcp)
      .reduce((sum, tool) => sum + estimate(tool.description + JSON.stringify(tool.inputSchema())), 0);
  const [builtIn, mcp] = [ofTools(false), ofTools(true)];
  const said = thread.history.messages.reduce(
    (sum, { content }) => sum + estimate(JSON.stringify(content)),
    0,
  );
  const totalTokens = thread.contextTokens || system + builtIn + mcp + said;
  const conversation = Math.max(0, totalTokens - system - builtIn - mcp);
  return {
    categories: [
      { name: 'System prompt', tokens: system },
      { name: 'System tools', tokens: builtIn },
      ...(mcp > 0 ? [{ name: 'MCP tools', tokens: mcp }] : []),
      { name: 'Conversation', tokens: conversation },
      { name: 'Free space', tokens: Math.max(0, maxTokens - totalTokens) },
    ],
    totalTokens,
    maxTokens,
    percentage: Math.round((100 * totalTokens) / maxTokens),
    model: thread.modelName,
  };
}

function estimate(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}
