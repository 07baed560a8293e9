import { sampleSession } from '@signalbox/testing/hub/sample-session';
import type { AuditEntry, KnownDevice } from 'signalbox/hub';
import { describe, expect, it } from 'vitest';
import { deciderOf, filterAudit } from '../src/model/audit-words.ts';
import { tileGroups } from '../src/model/board-groups.ts';
import { deviceGroups, deviceWords } from '../src/model/known-devices.ts';
import { areOnTheirWay, lampOf, serversIn, statusWords } from '../src/model/mcp-servers.ts';
import { apartFromPutAway } from '../src/model/put-away.ts';
import { filterLines, recordedLinesIn } from '../src/model/recorded-lines.ts';
import { knownHooks, seenHooks } from '../src/model/seen-hooks.ts';
import { SessionGlance } from '../src/model/session-glance.ts';
import { ADA, call, entry, prompt, said, text, writing } from './sample.ts';

/** What a hub answers with, from lines that are put into it as they are. */
function answerOf(...entries: readonly (readonly [head: string, value: string])[]): string {
  const parts = entries.map(
    ([head, value], index) =>
      `{"type":"sdk-message","session":"s","seq":${index + 1},"check":7,"time":1000${head}${value}}`,
  );
  return `{"last":${entries.length},"trimmed":2,"entries":[${parts.join(',')}]}`;
}

describe('the lines of a record', () => {
  it('[CO2456] are shown as they were written, each in its place, whatever is in them', () => {
    const odd = String.raw`{ "type" : "assistant", "n": 1.0, "e": "\u00e9 \\\" }],[{ \\", "message":{"raw":"x"} }`;
    const person = ',"author":{"by":"person","name":"A \\"raw\\": B","device":"desk"}';
    const lines = recordedLinesIn(
      answerOf(
        [',"message":', odd],
        [`${person},"message":`, '{"type":"user"}'],
        [',"raw":', JSON.stringify('no "json"}')],
        [',"message":', '{"type":"control_request","request":{"subtype":"can_use_tool"}}'],
        [',"damaged":true', ''],
      ),
    );
    expect(lines.map((line) => line.text)).toEqual([
      odd,
      '{"type":"user"}',
      'no "json"}',
      '{"type":"control_request","request":{"subtype":"can_use_tool"}}',
      '',
    ]);
    expect(lines.map(({ seq, kind }) => `${seq} ${kind}`)).toEqual([
      '1 assistant',
      '2 user',
      '3 ',
      '4 control_request/can_use_tool',
      '5 ',
    ]);
    expect(lines[1]?.author).toEqual({ by: 'person', name: 'A "raw": B', device: 'desk' });
    expect(recordedLinesIn('{"last":0,"entries":[]}')).toEqual([]);
    const found = (words: string, from: 'all' | 'agent' | 'others' = 'all') =>
      filterLines(lines, { words, from }).map(({ seq }) => seq);
    expect(found('ASSIST "n"')).toEqual([1]);
    expect(found('', 'others')).toEqual([2]);
    expect(found('type', 'agent')).toEqual([1, 4]);
  });

  it('[CO2455] tell which hooks ran, how often, and what came of it', () => {
    const ran = (name: string, outcome: string, stdout = '', stderr = '') =>
      [
        ',"message":',
        JSON.stringify({
          type: 'system',
          subtype: 'hook_response',
          hook_name: name,
          hook_event: 'PreToolUse',
          stdout,
          stderr,
          outcome,
        }),
      ] as const;
    const lines = recordedLinesIn(
      answerOf(
        ran('PreToolUse:Bash', 'error', '', 'broken\n'),
        ran('PreToolUse:Read', 'success'),
        ran('PreToolUse:Bash', 'success', 'fine\n', 'and well'),
      ),
    );
    expect(seenHooks(lines)).toEqual([
      {
        name: 'PreToolUse:Bash',
        event: 'PreToolUse',
        runs: 2,
        failures: 1,
        lastTime: 1000,
        lastOutput: 'fine\nand well',
      },
      {
        name: 'PreToolUse:Read',
        event: 'PreToolUse',
        runs: 1,
        failures: 0,
        lastTime: 1000,
        lastOutput: '',
      },
    ]);
    const [hook] = knownHooks({ hooks: [{ event: 'Stop', displayText: 'notify', timeout: 60 }] });
    expect(hook).toMatchObject({ event: 'Stop', does: 'notify', timeoutSeconds: 60, matcher: '' });
    expect(knownHooks({ hooks: 'of a shape of its own' })).toEqual([]);
  });
});

describe('panels', () => {
  it('[CO2454] MCP servers are told by their states, and asked for again while one is on its way', () => {
    const servers = serversIn({
      mcpServers: [
        {
          name: 'docs',
          status: 'connected',
          serverInfo: { name: 'd', version: '2' },
          tools: [{ name: 't' }],
        },
        { name: 'web', status: 'pending', config: { command: 'npx', args: ['-y', 'web'] } },
        { name: 'new', status: 'of a later version' },
      ],
    });
    expect(
      servers.map((server) => [statusWords(server), lampOf(server), server.says, server.reached]),
    ).toEqual([
      ['connected', 'idle', 'd 2', ''],
      ['waiting', 'active', '', 'npx -y web'],
      ['of a later version', 'exited', '', ''],
    ]);
    expect(areOnTheirWay(servers)).toBe(true);
    expect(areOnTheirWay(servers.slice(0, 1))).toBe(false);
    expect(serversIn({})).toEqual([]);
  });

  it('[CO2450] sessions that were put away are apart; [CO2451] tiles are one grid, those that ask first', () => {
    const sessions = [
      sampleSession({ id: 'a', state: 'idle' }),
      sampleSession({ id: 'b', state: 'exited', archivedAt: 1 }),
      sampleSession({ id: 'c', state: 'asking' }),
      sampleSession({ id: 'd', state: 'exited' }),
    ];
    const { inSight, putAway } = apartFromPutAway(sessions);
    expect([inSight.length, putAway.map(({ id }) => id)]).toEqual([3, ['b']]);
    const groups = tileGroups(inSight, 'state').map(({ title, sessions: inIt }) => [
      title,
      inIt.map(({ id }) => id).join(),
    ]);
    expect(groups).toEqual([
      ['Agents', 'c,a'],
      ['Not running', 'd'],
    ]);
  });

  it('[CO2451] a tile has the last lines of what was said and done, also of what is being written', () => {
    const glance = new SessionGlance();
    glance.hear({ type: 'activity', session: 's', state: 'active' });
    glance.hear(entry(1, prompt('Mend it\nplease'), ADA));
    glance.hear(entry(2, said(text('I **look**.\n\n- at `it`'))));
    glance.hear(entry(3, said(call('t1', 'Bash', { command: 'npm test' }))));
    for (const event of writing(['So\nit ', 'is']))
      glance.hear({ type: 'preview', session: 's', message: event });
    expect(glance.glance.said.map(({ by, text: words }) => `${by}: ${words}`)).toEqual([
      'person: Mend it',
      'agent: I look.',
      'agent: at it',
      'tool: Bash npm test',
      'agent: So',
      'agent: it is',
    ]);
    for (let seq = 4; seq < 40; seq += 1) glance.hear(entry(seq, said(text(`line ${seq}`))));
    expect(glance.glance.said).toHaveLength(8);
  });

  it('[CO2457] devices are told by who may what, and those that are signed out apart', () => {
    const device = (fields: Partial<KnownDevice>): KnownDevice => ({
      id: 'd',
      person: 'Ada',
      name: 'desk',
      scope: 'admin',
      session: null,
      kind: 'person',
      createdAt: 0,
      lastSeenAt: null,
      revokedAt: null,
      expiresAt: null,
      ...fields,
    });
    const now = 3_600_000;
    const { signedIn, signedOut } = deviceGroups(
      [
        device({ id: 'old', lastSeenAt: 1 }),
        device({ id: 'new', lastSeenAt: 2 }),
        device({ id: 'out', revokedAt: 5 }),
        device({ id: 'over', expiresAt: 10 }),
      ],
      now,
    );
    expect([signedIn.map(({ id }) => id), signedOut.map(({ id }) => id)]).toEqual([
      ['new', 'old'],
      ['out', 'over'],
    ]);
    expect(deviceWords(device({ session: 's', lastSeenAt: 0, revokedAt: now }), now)).toBe(
      'Ada · admin · one session · seen 1 h ago · signed out just now',
    );
  });

  it('[CO2458] decisions are found by what, whom and about which session', () => {
    const decision = (fields: Partial<AuditEntry>): AuditEntry => ({
      id: 1,
      time: 0,
      session: null,
      subject: null,
      author: ADA,
      what: 'allow',
      why: null,
      ...fields,
    });
    const entries = [
      decision({ id: 1, session: 's' }),
      decision({ id: 2, what: 'deny', author: { by: 'hub' } }),
    ];
    const find = (words: string) => filterAudit(entries, words, () => 'Mend the login').map(({ id }) => id);
    expect([find(''), find('ada ALLOW'), find('login'), find('deny ada')]).toEqual([[1, 2], [1], [1], []]);
    expect(entries.map(deciderOf)).toEqual(['Ada · laptop', 'Signalbox']);
  });
});
