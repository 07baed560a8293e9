import { describe, expect, it } from 'vitest';
import { modelTitle } from '../../src/control/models.ts';
import { agentInProject } from '../agent-in-project.ts';

const SETTINGS = JSON.stringify({ statusLine: { type: 'command', command: 'cat', padding: 2 } });
const SIZE = { subtype: 'run_status_line', columns: 80, rows: 24 };

describe('the status line for a host', () => {
  it('[AG864] is told of session, model, folders, cost, context and cache in the words of claude', async () => {
    const args = ['--model', 'opus', '--effort', 'high', '--add-dir', '/'];
    const agent = await agentInProject({
      files: { 'home/.claude/settings.json': SETTINGS },
      args: [...args, '--allowedTools', 'Write'],
    });
    const told = async () => {
      const { text, padding } = await agent.peer.request(SIZE);
      expect(padding).toBe(2);
      return JSON.parse(String(text));
    };
    const repo = agent.project.path('repo');
    const first = await told();
    expect(first).toEqual({
      session_id: expect.any(String),
      transcript_path: expect.stringMatching(/\.jsonl$/),
      cwd: repo,
      effort: { level: 'high' },
      model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
      workspace: { current_dir: repo, project_dir: repo, added_dirs: ['/'] },
      version: expect.any(String),
      output_style: { name: 'default' },
      cost: {
        total_cost_usd: 0,
        total_duration_ms: expect.any(Number),
        total_api_duration_ms: 0,
        total_lines_added: 0,
        total_lines_removed: 0,
      },
      context_window: {
        total_input_tokens: 0,
        total_output_tokens: 0,
        context_window_size: 1_000_000,
        current_usage: null,
        used_percentage: null,
        remaining_percentage: null,
      },
      exceeds_200k_tokens: false,
      fast_mode: false,
      thinking: { enabled: false },
    });
    const write = (content: string) =>
      agent.turn(`call Write ${JSON.stringify({ file_path: `${repo}/new`, content })}`);
    await write('one\ntwo\n');
    const { result } = await write('one\n2\nthree\n');
    const { cost, context_window: context, prompt_cache: cache, prompt_id, session_id } = await told();
    expect(cost).toMatchObject({ total_cost_usd: result.total_cost_usd, total_lines_added: 4 });
    expect(cost).toMatchObject({ total_lines_removed: 1, total_api_duration_ms: expect.any(Number) });
    expect(cost.total_duration_ms).toBeGreaterThanOrEqual(cost.total_api_duration_ms);
    const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } =
      context.current_usage;
    expect(context.total_input_tokens).toBe(
      input_tokens + cache_creation_input_tokens + cache_read_input_tokens,
    );
    expect(context.total_output_tokens).toBe(output_tokens);
    expect(context.used_percentage + context.remaining_percentage).toBe(100);
    expect(cache).toMatchObject({ requests: 4, misses: 0, ttl: '5m', warm: true, caching_observed: true });
    expect(cache.hit_ratio).toBeGreaterThan(0);
    expect(cache.recache_tokens_if_cold).toBe(cache_creation_input_tokens + cache_read_input_tokens);
    expect(prompt_id).toMatch(/^[\da-f-]{36}$/);
    await agent.turn('/clear');
    const anew = await told();
    expect(anew.session_id).not.toBe(session_id);
    expect(anew).toMatchObject({ cost: { total_cost_usd: 0, total_lines_added: 0 } });
    expect(anew).toMatchObject({ context_window: first.context_window });
    expect(anew).not.toHaveProperty('prompt_cache');
  });

  it('[AG865] is refused where there is none: in no settings, in an untrusted folder, with all hooks stopped', async () => {
    const project = { 'repo/.claude/settings.json': SETTINGS };
    const stopped = ['--settings', '{"disableAllHooks":true}'];
    for (const options of [{}, { files: project, isTrusted: false }, { files: project, args: stopped }]) {
      const agent = await agentInProject(options);
      await expect(agent.peer.request(SIZE)).rejects.toThrow('no statusLine');
    }
    const trusted = await agentInProject({ files: project });
    expect(await trusted.peer.request(SIZE)).toMatchObject({ padding: 2 });
  });

  it.each([
    ['claude-opus-5-5', 'Opus 5.5'],
    ['claude-sonnet-4-5-20250929', 'Sonnet 4.5'],
    ['claude-sonnet-4-20250514', 'Sonnet 4'],
    ['claude-3-5-haiku-20241022', 'Haiku 3.5'],
    ['my-model', 'my-model'],
  ])('[AG864] calls the model %s %s', (model, name) => {
    expect(modelTitle(model)).toBe(name);
  });
});
