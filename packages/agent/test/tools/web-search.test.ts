import { describe, expect, it } from 'vitest';
import { MAX_SEARCHES, webSearchTool } from '../../src/tools/web-search.ts';
import { sideModel } from './side-model.ts';
import { openBench } from './tool-bench.ts';

const hit = (title: string, url: string) => ({
  type: 'web_search_result',
  title,
  url,
  encrypted_content: 'x',
});

describe('WebSearch', () => {
  it('[TL46] has the API search, and returns links and words', async () => {
    const bench = await openBench();
    const { model, askModel } = await sideModel({
      name: 'searcher',
      turns: [
        {
          when: { tools: ['web_search'] },
          say: [
            { block: { type: 'server_tool_use', id: 'srv1', name: 'web_search', input: { query: 'rail' } } },
            {
              block: {
                type: 'web_search_tool_result',
                tool_use_id: 'srv1',
                content: [hit('Rails', 'https://a.test/rail'), hit('Signals', 'https://b.test')],
              },
            },
            'Signals ',
            'are red.',
            {
              block: {
                type: 'web_search_tool_result',
                tool_use_id: 'srv2',
                content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
              },
            },
          ],
        },
      ],
    });
    Object.assign(bench.session, { askModel });
    const result = await bench.run(webSearchTool, { query: 'red signals', allowed_domains: ['a.test'] });
    expect(result).toEqual({
      content: [
        'Web search results for: red signals',
        '- [Rails](https://a.test/rail)\n- [Signals](https://b.test)',
        'Signals are red.',
        'The search failed: max_uses_exceeded.',
      ].join('\n\n'),
      structured: {
        query: 'red signals',
        results: [
          {
            tool_use_id: 'srv1',
            content: [
              { title: 'Rails', url: 'https://a.test/rail' },
              { title: 'Signals', url: 'https://b.test' },
            ],
          },
          'Signals are red.',
          'The search failed: max_uses_exceeded.',
        ],
        durationSeconds: expect.any(Number),
        searchCount: 1,
      },
    });
    expect(model.requests[0]?.body).toMatchObject({
      model: 'large',
      messages: [{ role: 'user', content: expect.stringContaining('red signals') }],
      tools: [
        {
          type: 'web_search_20250305',
          name: 'web_search',
          max_uses: MAX_SEARCHES,
          allowed_domains: ['a.test'],
        },
      ],
    });
  });

  it('[TL46] refuses two lists of domains, a query of nothing, and a session without an API', async () => {
    const bench = await openBench();
    await expect(bench.run(webSearchTool, { query: 'xy' })).rejects.toThrow('no API to search with');
    Object.assign(bench.session, { askModel: () => Promise.reject(new Error('not asked')) });
    const both = { query: 'xy', allowed_domains: ['a'], blocked_domains: ['b'] };
    await expect(bench.run(webSearchTool, both)).rejects.toThrow('not both');
    await expect(bench.run(webSearchTool, { query: '' })).rejects.toThrow('`query`');
  });
});
