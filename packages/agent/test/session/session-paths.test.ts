import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { projectKey } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { parseResumeTarget } from '../../src/session/resume-target.ts';
import { sessionPathsOf } from '../../src/session/session-paths.ts';
import { sessionFolder } from './session-folder.ts';

describe('where sessions are kept', () => {
  it('[SE1] in the folder of the configuration, by the real path of the working directory', async () => {
    const { root, cwd } = await sessionFolder();
    await symlink(cwd, join(root, 'link'));
    const { projectFolder } = sessionPathsOf(join(root, 'link'), {}, '/home/me');
    expect(projectFolder).toBe(`/home/me/.claude/projects/${cwd.replaceAll(/[^a-zA-Z0-9]/g, '-')}`);
    expect(sessionPathsOf(cwd, { CLAUDE_CONFIG_DIR: '/conf' }, '/home/me').projectFolder).toMatch(
      /^\/conf\/projects\//,
    );
    expect(sessionPathsOf('/gone/away', {}, '/home/me').projectFolder).toBe(
      '/home/me/.claude/projects/-gone-away',
    );
  });

  it('[SE1] a long path is cut, and kept apart from its neighbours by a hash', () => {
    const long = `/${'long_directory.name-'.repeat(6)}/${'anotheréfolder_'.repeat(6)}/x`;
    const key = projectKey(long);
    expect(key).toHaveLength(207);
    // What claude 2.1.325 names its folder for this path.
    expect(key.slice(200)).toBe('-868dxn');
    expect(projectKey(`${long}y`).slice(200)).not.toBe(key.slice(200));
    expect(projectKey(`/${'x'.repeat(199)}`)).toBe(`-${'x'.repeat(199)}`);
  });

  it('[SE1] a folder that an old claude named in full is found too', async () => {
    const { root, sessionPaths } = await sessionFolder();
    expect(sessionPaths.projectFolders).toEqual([sessionPaths.projectFolder]);
    const cwd = join(root, 'x'.repeat(100), 'y'.repeat(100));
    await mkdir(cwd, { recursive: true });
    expect(sessionPathsOf(cwd, {}, root).projectFolders).toHaveLength(2);
  });
});

describe('parseResumeTarget', () => {
  const id = '5B02A388-55b8-4280-9c3b-e2a704c01cd5';

  it('[SE2] tells an id, an address and a file apart', () => {
    expect(parseResumeTarget(id)).toEqual({ kind: 'session', sessionId: id.toLowerCase() });
    expect(parseResumeTarget('wss://hub.example/ws/1')).toEqual({
      kind: 'url',
      url: 'wss://hub.example/ws/1',
    });
    expect(parseResumeTarget('https://hub.example/a.jsonl').kind).toBe('url');
    expect(parseResumeTarget('./old/session.jsonl')).toEqual({ kind: 'file', file: './old/session.jsonl' });
  });

  it.each(['', 'yesterday', '../../etc/passwd', `${id}/../x`, 'file:///etc/passwd', 'session.json'])(
    '[SE2] refuses %j',
    (text) => {
      expect(() => parseResumeTarget(text)).toThrow(
        expect.objectContaining({ code: 'RESUME_TARGET_INVALID' }),
      );
    },
  );
});
