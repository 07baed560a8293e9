import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MarkdownRecord } from '../src/export/markdown-record.ts';
import { HubStage } from './hub-stage.ts';

const SESSION = {
  id: 's',
  title: 'A *bold* plan',
  folder: '/work',
  agent: 'claude',
  model: null,
  createdAt: 0,
};
const ANN = { by: 'person', name: 'Ann', device: 'phone' };

/** The Markdown of a session with these messages. */
function markdownOf(...messages: [author: object, message: object][]): string {
  const record = new MarkdownRecord();
  const lines = [
    { signalbox: 1, session: SESSION },
    ...messages.map(([author, message], index) => ({
      seq: index + 1,
      time: 60_000,
      author,
      line: JSON.stringify(message),
    })),
  ];
  return lines.map((line) => record.textOf(JSON.stringify(line))).join('');
}

function said(type: 'user' | 'assistant', ...content: object[]): object {
  return { type, message: { role: type, content } };
}

describe('a session as Markdown', () => {
  it('[CL1998] has what was said, called and came of it, by who said it', () => {
    const text = markdownOf(
      [ANN, { type: 'user', message: { role: 'user', content: 'Look around' } }],
      [{ by: 'agent' }, { type: 'system', subtype: 'init', cwd: '/work' }],
      [
        { by: 'agent' },
        said(
          'assistant',
          { type: 'thinking', thinking: 'a secret thought' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } },
        ),
      ],
      [
        { by: 'agent' },
        said('user', { type: 'tool_result', tool_use_id: 't', content: '```\nx\n```', is_error: true }),
      ],
      [{ by: 'agent' }, { ...said('assistant', { type: 'text', text: 'inside' }), parent_tool_use_id: 't' }],
      [{ by: 'agent' }, said('assistant', { type: 'text', text: 'Done.' })],
      [{ by: 'agent' }, { type: 'result', subtype: 'success', is_error: false, total_cost_usd: 0.25 }],
    );
    expect(text).toBe(`# A \\*bold\\* plan

- session: \`s\`
- folder: \`/work\`
- agent: \`claude\`
- created: \`1970-01-01 00:00Z\`

## Ann · 1970-01-01 00:01Z

Look around

## Agent · 1970-01-01 00:01Z

I look.

**Bash**

\`\`\`sh
ls
\`\`\`

*It failed:*

\`\`\`\`
\`\`\`
x
\`\`\`
\`\`\`\`

Done.

*$0.2500 so far*

`);
  });

  it('[CL1998] says which entries are damaged, and leaves out what cannot be read', () => {
    const record = new MarkdownRecord();
    expect(record.textOf('{"seq":7,"damaged":true}')).toBe('> Entry 7 is damaged.\n\n');
    for (const odd of ['', '[]', '{"seq":1,"line":"half {"}', '{"seq":1,"line":"[1]"}', '{"base64":"//8="}'])
      expect(record.textOf(odd)).toBe('');
  });
});

describe('signalbox export', () => {
  it('[CL1999] writes a session to stdout or to a file, as JSONL that can be imported, as Markdown or as a transcript', async () => {
    const stage = await HubStage.start();
    const id = await stage.launch('to take along');
    await stage.run('run', '--session', id, 'say Goodbye');
    const file = join(stage.home, 'session.jsonl');
    expect((await stage.run('export', id.slice(0, 8), '-o', file)).code).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const imported = await fetch(`${stage.url}/api/sessions/import?id=copy`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.token}`, 'content-type': 'application/jsonl' },
      body: readFileSync(file),
    });
    expect(imported.status).toBe(201);
    const [here, there] = await Promise.all([id, 'copy'].map((session) => stage.api.events(session)));
    expect(there?.entries.map(({ message }) => message)).toEqual(here?.entries.map(({ message }) => message));
    const markdown = await stage.run('export', id, '--format', 'markdown');
    expect(markdown.stdout).toMatch(/^# to take along\n[^]*say Goodbye\n\n## Agent[^]*Goodbye\n/);
    const transcript = await stage.run('export', id, '--format', 'transcript');
    expect(JSON.parse(transcript.stdout.split('\n')[0] ?? '')).toMatchObject({ type: 'user' });
    expect(await stage.run('export', id, '-o', file)).toMatchObject({ code: 1 });
    expect(await stage.run('export', 'nobody')).toMatchObject({ code: 1, stdout: '' });
    expect(await stage.run('export')).toMatchObject({ code: 2 });
    expect(await stage.run('export', id, '--format', 'pdf')).toMatchObject({ code: 2 });
  });
});
