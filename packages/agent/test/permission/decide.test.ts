import { type PermissionMode, parseRule } from '@signalbox/protocol';
import { describe, expect, it } from 'vitest';
import { type CallFacts, decide, type PermissionFacts } from '../../src/permission/decide.ts';

const CWD = '/project';

function bash(command: string): CallFacts {
  return {
    toolName: 'Bash',
    input: { command },
    paths: [],
    isReadOnly: false,
    isEdit: false,
    needsPerson: false,
  };
}

function edit(path: string): CallFacts {
  return {
    toolName: 'Edit',
    input: { file_path: path },
    paths: [path],
    isReadOnly: false,
    isEdit: true,
    needsPerson: false,
  };
}

function read(path: string): CallFacts {
  return {
    toolName: 'Read',
    input: { file_path: path },
    paths: [path],
    isReadOnly: true,
    isEdit: false,
    needsPerson: false,
  };
}

const question: CallFacts = {
  toolName: 'AskUserQuestion',
  input: {},
  paths: [],
  isReadOnly: true,
  isEdit: false,
  needsPerson: true,
};

function facts(
  mode: PermissionMode = 'default',
  rules: { allow?: string[]; deny?: string[]; ask?: string[] } = {},
  folders: string[] = [CWD],
): PermissionFacts {
  const parsed = (texts: string[] = []) => texts.map((text) => parseRule(text));
  return {
    mode,
    rules: { allow: parsed(rules.allow), deny: parsed(rules.deny), ask: parsed(rules.ask) },
    cwd: CWD,
    home: '/home/someone',
    folders,
  };
}

describe('decide', () => {
  it('[PM1] deny comes before ask, ask before the mode, the mode before allow', () => {
    const all = { deny: ['Bash(git push:*)'], ask: ['Bash(git commit:*)'], allow: ['Bash(git:*)'] };
    expect(decide(bash('git push'), facts('bypassPermissions', all)).behavior).toBe('deny');
    expect(decide(bash('git commit'), facts('bypassPermissions', all)).behavior).toBe('ask');
    expect(decide(bash('git fetch'), facts('default', all))).toMatchObject({
      behavior: 'allow',
      because: 'rule',
    });
    expect(decide(bash('make'), facts('bypassPermissions', all))).toMatchObject({
      behavior: 'allow',
      because: 'mode',
    });
    expect(decide(bash('make'), facts('default', all)).behavior).toBe('ask');
  });

  it.each([
    ['default', 'ask', 'ask', 'allow'],
    ['acceptEdits', 'ask', 'allow', 'allow'],
    ['plan', 'ask', 'deny', 'allow'],
    ['dontAsk', 'deny', 'deny', 'allow'],
    ['bypassPermissions', 'allow', 'allow', 'allow'],
  ] as const)('[PM2] mode %s: a command %s, an edit %s, a read %s', (mode, command, editing, reading) => {
    expect(decide(bash('make'), facts(mode)).behavior).toBe(command);
    expect(decide(edit('/project/a.ts'), facts(mode)).behavior).toBe(editing);
    expect(decide(read('/project/a.ts'), facts(mode)).behavior).toBe(reading);
  });

  it('[PM3] what lies outside of the working directories is asked about, also when it is only read', () => {
    const outside = decide(read('/etc/passwd'), facts('acceptEdits'));
    expect(outside).toMatchObject({ behavior: 'ask', because: 'workingDir', blockedPath: '/etc/passwd' });
    expect(outside.suggestions).toContainEqual({
      type: 'addDirectories',
      directories: ['/etc'],
      destination: 'session',
    });
    expect(decide(read('/etc/passwd'), facts('default', {}, [CWD, '/etc'])).behavior).toBe('allow');
    expect(decide(read('/project-two/x'), facts()).behavior).toBe('ask');
    expect(decide(bash('touch /elsewhere/x'), facts())).toMatchObject({
      behavior: 'ask',
      blockedPath: '/elsewhere/x',
    });
  });

  it.each([
    '/project/.git/hooks/pre-commit',
    '/project/.claude/settings.json',
    '/home/someone/.bashrc',
    '/project/.npmrc',
    '/home/someone/.ssh/config',
  ])('[PM4] a change of %s is asked about in every mode that asks, whatever is allowed', (path) => {
    const allowed = { allow: ['Edit'] };
    const everywhere = ['/'];
    expect(decide(edit(path), facts('acceptEdits', allowed, everywhere))).toMatchObject({
      behavior: 'ask',
      because: 'protectedPath',
      blockedPath: path,
    });
    expect(decide(edit(path), facts('dontAsk', allowed, everywhere)).behavior).toBe('deny');
  });

  it('[PM5] what only a person can answer is asked in every mode but dontAsk', () => {
    for (const mode of ['default', 'acceptEdits', 'plan', 'bypassPermissions'] as const) {
      expect(decide(question, facts(mode, { allow: ['AskUserQuestion'] }))).toMatchObject({
        behavior: 'ask',
        suggestions: [],
      });
    }
    expect(decide(question, facts('dontAsk')).behavior).toBe('deny');
  });

  it('[PM240] nothing is suggested that would not keep the call from being asked about again', () => {
    const asked = decide(bash('npm run build'), facts('default', { ask: ['Bash(npm run:*)'] }));
    expect(asked).toMatchObject({ behavior: 'ask', suggestions: [] });
    expect(decide(edit('/project/.git/hooks/pre-commit'), facts())).toMatchObject({
      behavior: 'ask',
      suggestions: [],
    });
    expect(decide(question, facts()).suggestions).toEqual([]);
  });

  it('[PM6] suggestions fit the call', () => {
    expect(decide(bash('npm run build'), facts()).suggestions).toMatchObject([
      { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'npm run build' }], behavior: 'allow' },
    ]);
    expect(decide(edit('/project/a.ts'), facts()).suggestions).toEqual([
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ]);
    // Whoever may run sudo may run anything: only this very line can be remembered.
    expect(decide(bash('sudo make install'), facts()).suggestions).toMatchObject([
      { rules: [{ ruleContent: 'sudo make install' }] },
    ]);
  });

  it('[PM7] commands that change nothing need no permission, and cannot carry others along', () => {
    expect(decide(bash('echo hi'), facts()).behavior).toBe('allow');
    expect(decide(bash('echo hi && ls'), facts()).behavior).toBe('allow');
    for (const line of ['echo hi > x', 'echo $(touch x)', 'ls; touch x', 'echo hi | sh', 'LD_PRELOAD=x ls']) {
      expect(decide(bash(line), facts()).behavior).toBe('ask');
    }
  });

  it('[PM605] a line of 1 MB is never taken for harmless or covered, and nothing is offered for it', () => {
    const long = (start: string): CallFacts => bash(`${start} ${'a '.repeat(500_000)}; rm x`);
    for (const rules of [
      {},
      { allow: ['Bash(echo:*)', 'Bash(rm:*)'] },
      { allow: ['Bash'], deny: ['Bash(rm:*)'] },
    ]) {
      const decision = decide(long('echo'), facts('default', rules));
      expect(decision).toMatchObject({ behavior: 'ask', suggestions: [] });
      expect(decide(long('echo'), facts('dontAsk', rules)).behavior).toBe('deny');
      expect(decide(long('echo'), facts('plan', rules)).behavior).toBe('ask');
    }
    expect(decide(long('echo'), facts()).reason).toContain('longer than 10000 characters');
  });
});
