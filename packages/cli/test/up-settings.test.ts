import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runUp, UP } from '@signalbox/testing/hub/run-up';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { readUpOptions } from '../src/up/up-options.ts';
import { readSettings } from '../src/up/up-settings.ts';

const OPTIONS = {
  port: { type: 'string' },
  'behind-proxy': { type: 'boolean' },
  name: { type: 'string', multiple: true },
} as const;

function homeWith(text: string): string {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config.json'), text);
  return home;
}

describe('settings of signalbox up', () => {
  it('[CL1050] come from the environment, and else from config.json', () => {
    const home = homeWith('{"port": 1234, "behind-proxy": true, "name": ["a", "b"]}');
    expect(readSettings(home, {}, OPTIONS)).toEqual({
      port: '1234',
      'behind-proxy': true,
      name: ['a', 'b'],
    });
    const env = { SIGNALBOX_PORT: '5', SIGNALBOX_BEHIND_PROXY: '0', SIGNALBOX_NAME: 'x,y' };
    expect(readSettings(home, env, OPTIONS)).toEqual({
      port: '5',
      'behind-proxy': false,
      name: ['x', 'y'],
    });
    expect(readSettings(temporaryFolder(), {}, OPTIONS)).toEqual({});
  });

  it('[CL1050] give way to flags', async () => {
    const up = runUp(UP, homeWith('{"port": 1, "host": "localhost", "name": "box.example"}'));
    await expect.poll(up.output).toContain('signalbox is up');
    expect(up.output()).toContain('box.example');
    up.child.kill('SIGTERM');
    expect(await up.exited).toEqual([0, null]);
  });

  it.each(['https://box.lan', 'box.lan/hub', 'box lan', 'box.lan:port', 'me@box.lan', ''])(
    '[CL3340] refuse "%s" as the name of a host',
    (name) => {
      expect(() => readUpOptions(['--name', name], temporaryFolder())).toThrow('is no name of a host');
    },
  );

  it('[CL3340] take a name with a port, and an address', () => {
    const names = ['box.lan:8443', '[fe80::1]', '192.168.1.5'];
    const words = names.flatMap((name) => ['--name', name]);
    expect(readUpOptions(words, temporaryFolder()).hub.names).toEqual(names);
  });

  it.each([
    ['no JSON', '{"port": ', 'it is no JSON'],
    ['no object', '[]', 'one JSON object'],
    ['an unknown setting', '{"prot": 1}', '"prot" is no setting'],
    ['a flag as text', '{"behind-proxy": "yes"}', '"behind-proxy" takes true or false'],
    ['a port that is none', '{"port": {}}', '"port" takes a text or a number'],
    ['a list of other things', '{"name": [null]}', '"name" takes a list of texts'],
  ])('[CL1051] with %s in config.json are refused, and it is said where', (_, text, problem) => {
    const home = homeWith(text);
    const read = () => readSettings(home, {}, OPTIONS);
    expect(read).toThrow(expect.objectContaining({ code: 'SETTING_INVALID' }));
    expect(read).toThrow(problem);
    expect(read).toThrow(join(home, 'config.json'));
  });

  it('[CL1051] with a variable of the wrong kind are refused, and one that cannot be read ends the start', async () => {
    expect(() => readSettings(temporaryFolder(), { SIGNALBOX_BEHIND_PROXY: 'maybe' }, OPTIONS)).toThrow(
      'SIGNALBOX_BEHIND_PROXY: it takes 1 or 0.',
    );
    const { exited, errors } = runUp(UP, homeWith('{"ports": 1}'));
    expect(await exited).toEqual([1, null]);
    expect(errors()).toContain('"ports" is no setting');
  });
});
