import { describe, expect, it } from 'vitest';
import { lineScene } from './line-scene.ts';

const { behaviorOf } = lineScene('rules-and-doubts');

const allow = ['cat:*', 'head:*', 'ls:*', 'sort:*', 'cd:*', 'pushd:*', 'command:*', 'git diff:*'].map(
  (content) => `Bash(${content})`,
);
const deny = ['Read(.env)', 'Read(./secrets/**)'];

describe('a rule for a program', () => {
  it.each([
    ['a loop runs it again', 'x=README.md; for i in 1 2; do cat "$x"; x=.env; done'],
    ['the condition of a loop runs again', 'x=README.md; while cat "$x"; do x=.env; done'],
    ['a function runs later', 'x=README.md; ls() { cat "$x"; }; x=.env; ls'],
    ['a function sets it', 'f=README.md; sort() { head "$f"; f=.env; }; sort; sort'],
    ['it comes by another one', 'y=README.md; for i in 1 2; do x=$y; cat "$x"; y=.env; done'],
    ['the folder is another one the next time', 'for i in 1 2; do cat key.pem; cd secrets; done'],
    ['a function runs elsewhere', 'ls() { cat key.pem; }; cd secrets; ls'],
  ])('[PM3830] does not cover a word that may be another one by then: %s', (_what, line) => {
    expect(behaviorOf(line, { allow, deny })).not.toBe('allow');
  });

  it.each([
    'x=README.md; cat "$x"; head "$x"',
    'for x in README.md notes.txt; do cat "$x"; done',
    'ls() { cat README.md; }; ls',
    'cd src && cat main.ts && cd ..',
  ])('[PM3830] covers a line whose words stay what they are: %s', (line) => {
    expect(behaviorOf(line, { allow, deny })).toBe('allow');
  });

  it.each([
    'cd "$(echo secrets)" && cat key.pem',
    'cd $(echo secrets); cat key.pem',
    'cd ${DISPLAY:-secrets} && cat key.pem',
    'cd -L secrets && cat key.pem',
    'cd src; cd -; cat .env',
    'cd; cat .ssh/id_rsa',
    'cd ~+/secrets && cat key.pem',
    'pushd secrets && cat key.pem',
    'command cd secrets && cat key.pem',
  ])('[PM3831] does not cover what comes after a folder that only the shell knows: %s', (line) => {
    expect(behaviorOf(line, { allow, deny })).not.toBe('allow');
  });

  it.each(['cd evil/repo && git diff --src-prefix=%G', 'cd evil/repo && git diff --stat -S%G'])(
    '[PM3832] does not cover git in another repository whose settings run a program, whatever else is wrong: %s',
    (line) => {
      expect(behaviorOf(line, { allow })).toBe('ask');
    },
  );

  it('[PM3832] covers git in a folder of its own repository', () => {
    expect(behaviorOf('cd src && git diff --src-prefix=%G', { allow })).toBe('allow');
  });
});

describe('a rule for what a program runs', () => {
  it.each([
    ['npm run lint', '--prefix evil'],
    ['npm run lint', '-prefix evil'],
    ['npm run lint', '--script-shell=@RUN'],
    ['npm run lint', '--node-options=--require=./evil/run.js'],
    ['npm run lint', '-w evil -- x'],
    ['npm run lint', '"$(cat evil/get)"'],
    ['npm test', '--userconfig evil/npmrc'],
    ['npm exec eslint', '--call @RUN'],
    ['make lint', '-f evil/Makefile'],
    ['make lint', '--eval=x:'],
    ['make lint', 'SHELL=@RUN'],
    ['make lint', 'CC=./evil/run.sh'],
    ['cargo test', '--config target.runner="x"'],
    ['cargo test', '--manifest-path=evil/Cargo.toml'],
    ['go test', '-exec @RUN ./...'],
    ['go vet', '-vettool=@RUN ./...'],
    ['git push', '--receive-pack=@RUN origin'],
    ['git push', '--exec @RUN origin'],
    ['git fetch', '--upload-pack=@RUN origin'],
    ['git pull', 'ext::@RUN'],
    ['git clone', '-c core.fsmonitor=@RUN .'],
    ['git rebase', '-x @RUN HEAD~1'],
    ['git archive', '--output=@HIT HEAD'],
  ])('[PM3837] does not cover options with which %s runs something else: %s', (rule, options) => {
    expect(behaviorOf(`${rule} ${options}`, { allow: [`Bash(${rule}:*)`] })).toBe('ask');
  });

  it.each([
    ['npm run lint', ''],
    ['npm run lint', 'src'],
    ['npm run lint', '-s'],
    ['npm run lint', '--if-present -- --fix --prefix src'],
    ['npm run lint', '-- "$USER"'],
    ['npm install', '--prefix web --save-dev x'],
    ['make lint', '-j4 -k V=1'],
    ['cargo test', '--release -- --config x'],
    ['go test', '-run TestX -v ./...'],
    ['git push', '-u origin main'],
    ['git rebase', '-i HEAD~2'],
    ['git fetch', '--all --prune'],
  ])('[PM3837] covers the other options of %s: %s', (rule, options) => {
    expect(behaviorOf(`${rule} ${options}`, { allow: [`Bash(${rule}:*)`] })).toBe('allow');
  });

  it('[PM3837] covers an option that it spells out, as often as it does', () => {
    const rule = ['Bash(npm --prefix web run lint:*)'];
    expect(behaviorOf('npm --prefix web run lint', { allow: rule })).toBe('allow');
    expect(behaviorOf('npm --prefix web run lint --prefix evil', { allow: rule })).toBe('ask');
    expect(behaviorOf('npm run lint --prefix evil', { allow: ['Bash(npm:*)'] })).toBe('allow');
    const sorted = ['Bash(sort -o sorted.txt:*)'];
    expect(behaviorOf('sort -o sorted.txt notes.txt', { allow: sorted })).toBe('allow');
    expect(behaviorOf('sort -o sorted.txt -o @HIT notes.txt', { allow: sorted })).toBe('ask');
  });
});
