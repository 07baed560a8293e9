import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@signalbox/testing/hub/test-parts';
import { describe, expect, it } from 'vitest';
import { ConfigAgents } from '../src/up/config-agents.ts';
import { retentionSettings } from '../src/up/retention-settings.ts';

describe('agents that are defined while a hub runs', () => {
  it('[CL2551] are in config.json, which keeps all else, what was written there meanwhile, and its link', () => {
    const [home, elsewhere] = [temporaryFolder(), temporaryFolder()];
    const file = join(elsewhere, 'settings.json');
    const config = (): unknown => JSON.parse(readFileSync(file, 'utf8'));
    const first = { command: ['first'], env: { KEY: 'secret-1', OTHER: 'x' } };
    writeFileSync(file, JSON.stringify({ port: 1, agents: { first } }));
    chmodSync(file, 0o644);
    symlinkSync(file, join(home, 'config.json'));
    const agents = new ConfigAgents(home);
    // A person writes another one beside it.
    writeFileSync(
      file,
      JSON.stringify({ port: 2, retention: { eventDays: 3 }, agents: { first, byHand: { command: ['b'] } } }),
    );
    const changed = agents.change({
      name: 'first',
      command: ['first', '-v'],
      mode: 'terminal',
      env: { OTHER: null, NEW: 'y' },
    });
    expect(changed).toEqual({
      name: 'first',
      title: 'first',
      command: ['first', '-v'],
      mode: 'terminal',
      variables: ['KEY', 'NEW'],
    });
    agents.change({ name: 'second', title: 'Two', command: ['~/bin/second'] });
    const kept = { command: ['first', '-v'], mode: 'terminal', env: { KEY: 'secret-1', NEW: 'y' } };
    const second = { title: 'Two', command: ['~/bin/second'] };
    const rest = { port: 2, retention: { eventDays: 3 } };
    expect(config()).toEqual({ ...rest, agents: { first: kept, byHand: { command: ['b'] }, second } });
    expect(lstatSync(join(home, 'config.json')).isSymbolicLink()).toBe(true);
    // It may hold secrets now.
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(agents.remove('byHand')).toMatchObject({ name: 'byHand', variables: [] });
    expect(agents.remove('byHand')).toBeUndefined();
    expect(config()).toEqual({ ...rest, agents: { first: kept, second } });
    expect(agents.list().map(({ name }) => name)).toEqual(['first', 'second']);
    expect(agents.current[0]?.env).toEqual({ KEY: 'secret-1', NEW: 'y' });
  });

  it('[CL2930] a limit of retention that is changed in the same moment is there as well, and the file stays a link', () => {
    const [home, elsewhere] = [temporaryFolder(), temporaryFolder()];
    const file = join(elsewhere, 'settings.json');
    writeFileSync(file, '{}');
    symlinkSync(file, join(home, 'config.json'));
    const agents = new ConfigAgents(home);
    retentionSettings(home).write({ eventDays: 3 });
    agents.change({ name: 'one', command: ['one'] });
    const config: unknown = JSON.parse(readFileSync(file, 'utf8'));
    expect(config).toEqual({ retention: { eventDays: 3 }, agents: { one: { command: ['one'] } } });
    expect(lstatSync(join(home, 'config.json')).isSymbolicLink()).toBe(true);
  });

  it('[CL2551] where the file is none any more, cannot be written or would be too long, all stays as it was', () => {
    const home = temporaryFolder();
    const file = join(home, 'config.json');
    const agents = new ConfigAgents(home);
    agents.change({ name: 'one', command: ['one'] });
    const invalid = expect.objectContaining({ code: 'SETTING_INVALID' });
    const before = readFileSync(file, 'utf8');
    const long = { name: 'long', command: ['x'], env: { A: 'b'.repeat(70_000) } };
    expect(() => agents.change(long)).toThrow(invalid);
    expect(readFileSync(file, 'utf8')).toBe(before);
    for (const broken of ['{"agents": {', '{"agents": {"claude": {"command": ["x"]}}}']) {
      writeFileSync(file, broken);
      expect(() => agents.change({ name: 'two', command: ['two'] })).toThrow(invalid);
      expect(() => agents.remove('one')).toThrow(invalid);
      expect(readFileSync(file, 'utf8')).toBe(broken);
    }
    expect(agents.list().map(({ name }) => name)).toEqual(['one']);
    // A folder in the place of the draft: nothing can be written beside the file.
    writeFileSync(file, before);
    mkdirSync(`${file}.${process.pid}.new`);
    expect(() => agents.change({ name: 'two', command: ['two'] })).toThrow(
      expect.objectContaining({ code: 'FILE_NOT_WRITTEN' }),
    );
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});
