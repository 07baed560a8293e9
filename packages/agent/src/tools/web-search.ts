import * as z from 'zod/mini';
import { ToolFailure } from '../base/tool-failure.ts';
import { defineTool } from './tool.ts';
import type { SideAnswer } from './tool-session.ts';

/** How often the model may search for one question. */
export const MAX_SEARCHES = 8;

const domains = z.optional(z.array(z.string()));

/** What came of a search: links, or words between them. */
type SearchResult = string | { tool_use_id: string; content: { title: string; url: string }[] };

export const webSearchTool = defineTool({
  name: 'WebSearch',
  description: [
    'Search the web, for what is newer than you know.',
    '- `allowed_domains` or `blocked_domains` narrow the search; not both.',
    '- Name the pages you used in your answer, as links. Read more of one with WebFetch.',
  ].join('\n'),
  input: z.object({
    query: z.string().check(z.minLength(2)),
    allowed_domains: domains,
    blocked_domains: domains,
  }),
  async run({ query, allowed_domains = [], blocked_domains = [] }, { session, signal }) {
    if (!session.askModel) throw new ToolFailure('There is no API to search with in this session.');
    if (allowed_domains.length > 0 && blocked_domains.length > 0) {
      throw new ToolFailure('Give allowed_domains or blocked_domains, not both.');
    }
    const startedAt = performance.now();
    const { content } = await session.askModel(
      {
        system: 'You search the web for another program. Search, then say briefly what the results tell.',
        prompt: `Search the web for: ${query}`,
        serverTools: [
          {
            type: 'web_search_20250305',
            name: 'web_search',
            max_uses: MAX_SEARCHES,
            ...(allowed_domains.length > 0 ? { allowed_domains } : {}),
            ...(blocked_domains.length > 0 ? { blocked_domains } : {}),
          },
        ],
      },
      signal,
    );
    const results = resultsOf(content);
    const searchCount = results.filter((result) => typeof result !== 'string').length;
    return {
      content: [`Web search results for: ${query}`, ...results.map(shown)].join('\n\n'),
      structured: {
        query,
        results,
        durationSeconds: (performance.now() - startedAt) / 1000,
        searchCount,
      },
    };
  },
});

/** In the order of the answer. Words between two searches are one text, however many blocks they came in. */
function resultsOf(content: SideAnswer['content']): SearchResult[] {
  const results: SearchResult[] = [];
  for (const block of content) {
    if (block.type === 'text') {
      const before = results.at(-1);
      if (typeof before === 'string') results.splice(-1, 1, before + block.text);
      else results.push(block.text);
    } else if (block.type === 'web_search_tool_result') {
      const { tool_use_id, content: found } = block;
      if (Array.isArray(found)) {
        results.push({ tool_use_id, content: found.map(({ title, url }) => ({ title, url })) });
      } else results.push(`The search failed: ${found.error_code}.`);
    }
  }
  return results.filter((result) => typeof result !== 'string' || result.trim() !== '');
}

function shown(result: SearchResult): string {
  if (typeof result === 'string') return result.trim();
  return result.content.map(({ title, url }) => `- [${title}](${url})`).join('\n') || 'No links found.';
}
