import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UNEXPLAINED } from '@signalbox/protocol';
import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { amountOf } from '../src/spend/amounts.ts';
import { de } from '../src/words/de/index.ts';
import { en } from '../src/words/en/index.ts';
import { directionOf, languageFor, localeFor } from '../src/words/language.ts';

const SOURCE = fileURLToPath(new URL('../src/', import.meta.url));

/** Where texts are: the dictionary, and the few that have to be there without it. */
const OWN_WORDS = /^words\/|^worker\/(?:offline|worker)-words\.ts$/;

/** What a person sees or hears of an element beside its children. */
const SEEN = new Set(['action', 'alt', 'aria-label', 'label', 'placeholder', 'title', 'unread', 'words']);

/** Names, examples of what can be typed, and texts for agents and developers: the same in every language. */
const SAME_EVERYWHERE = new Set([
  'Signalbox',
  'ntfy',
  'Enter',
  'Esc',
  'https://hooks.example/agents',
  'https://ntfy.sh/your-topic',
  '500k',
  '~/project',
  'work',
  'claude --verbose',
  'ANTHROPIC_API_KEY',
  'Bash(npm test:*)',
  'ws://127.0.0.1:',
  'link',
  'up',
  'The user does not approve the plan yet. Keep planning, and ask what they miss.',
  'The user wants the plan changed before you begin: ',
  'The user does not want to answer this.',
  // Parts a message of the hub.
  ' To go on, ',
  // A selector.
  'button, a',
  'The database does not answer.',
  'There is no hub around this view.',
]);

/** Elements with what is typed or pressed, not with words. */
const LITERAL_ELEMENTS = /^(?:code|kbd)$/;

describe('the languages of the console', () => {
  it('[CO3400] are chosen in the browser, or by its own languages, with English for all others', () => {
    expect(languageFor(null, ['de-AT', 'en-US'])).toBe('de');
    expect(languageFor(null, ['fr-FR', 'en-GB', 'de'])).toBe('en');
    expect(languageFor('en', ['de-DE'])).toBe('en');
    expect(languageFor('xx', ['DE'])).toBe('de');
    expect(languageFor(null, ['ja'])).toBe('en');
    expect(localeFor('de', ['en-US', 'de-CH'])).toBe('de-CH');
    expect(localeFor('en', ['ja'])).toBe('en');
    expect(['en', 'de', 'ar', 'he'].map(directionOf)).toEqual(['ltr', 'ltr', 'rtl', 'rtl']);
  });

  it('[CO3401] have all that a person reads: nothing in the sources of the page is said past them', () => {
    expect(sourceFiles().flatMap(strayTexts)).toEqual([]);
  });

  it('[CO3401] have nothing that the page never says', () => {
    const source = sourceFiles()
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const names = Object.entries(en).flatMap(([feature, texts]) =>
      Object.keys(texts).map((key) => `t.${feature}.${key}`),
    );
    expect(names.filter((name) => !new RegExp(`${name.replaceAll('.', '\\.')}\\b`).test(source))).toEqual([]);
  });

  it('[CO3401] the check itself sees texts wherever they are', () => {
    const strays = (source: string) => textsIn('sample.tsx', source);
    expect(strays('const a = <p>Hello</p>;')).toEqual(['Hello']);
    expect(strays("const a = <p>{is ? 'yes' : t.no}</p>;")).toEqual(['yes']);
    expect(strays('const a = <p title="Hello" className="big">{t.hello}</p>;')).toEqual(['Hello']);
    expect(strays("throw new Error('It is not there.');")).toEqual(['It is not there.']);
    // oxlint-disable-next-line no-template-curly-in-string
    expect(strays('const a = `Read ${n} files`;')).toEqual(['Read ']);
    expect(strays("const a = <code>npm start</code>; const b = 'button quiet';")).toEqual([]);
  });

  it('[CO3402] say as much in German as in English: nothing is empty, and what takes a value names it', () => {
    const problems: string[] = [];
    compare(en, de, '', problems);
    expect(problems).toEqual([]);
  });

  it('[CO3771][CO3854] say in words of their own what has a code: refusals, decisions, budgets, restarts, how a turn failed', () => {
    const raw = 'There is no session nope. List the sessions to find its id.';
    expect(en.problems.said('STORE_SESSION_NOT_FOUND', raw)).toBe(raw);
    expect(de.problems.said('STORE_SESSION_NOT_FOUND', raw)).toBe('Diese Sitzung gibt es nicht.');
    // What the hub says beside it is not lost where it names something.
    expect(de.problems.said('GIT_FAILED', 'fatal: bad object')).toBe(
      'git konnte das nicht: fatal: bad object',
    );
    for (const odd of ['', 'NEW_CODE', 'constructor']) expect(de.problems.said(odd, raw)).toBe(raw);
    expect(de.model.budget('reached', 'hub', '5,00 $ von 5,00 $', 'Spent.')).toBe(
      'Budget des Hubs: 5,00 $ von 5,00 $ ausgegeben. Prompts warten.',
    );
    expect(de.model.restarts('waiting', 'Ended.', '1', '5', 'It is.')).toContain('1 von 5');
    expect([de.model.budget('new', 'hub', '', 'So.'), de.model.restarts('new', '', '', '', 'So.')]).toEqual([
      'So.',
      'So.',
    ]);
    expect(de.audit.subject('allow Bash(npm test:*) everywhere')).toBe('Bash(npm test:*) erlauben, überall');
    expect(de.audit.subject('the budget of the folder /x, $5.00 and 10 tokens a day')).toBe(
      'Budget des Ordners /x, $5.00 und 10 tokens am Tag',
    );
    expect(de.audit.why('rule: deny Bash in /work/a')).toBe('Regel: Bash ablehnen, in /work/a');
    expect([de.audit.subject('allow me'), de.audit.why('rules are rules')]).toEqual([
      'allow me',
      'rules are rules',
    ]);
    const counts = { allowed: 3, denied: 1, changed: 0, unanswered: 0 };
    const test = {
      behavior: 'allow',
      all: { ...counts, denied: 2 },
      matched: counts,
      words: 'It would.',
    } as const;
    expect(en.states.backtest(test)).toBe('It would.');
    expect(de.states.backtest(test)).toBe('Sie hätte 4 Aufrufe erlaubt; darunter 1 der 2 Ablehnungen.');
    expect(de.states.missingAgent('mine', '/x/mine', 'It is not there.')).toContain('/x/mine gibt es nicht');
    expect(de.states.missingAgent('claude', undefined, 'no claude is in PATH')).toContain('installiert es');
    expect(de.model.turnProblem('success', UNEXPLAINED)).not.toBe(UNEXPLAINED);
    expect(de.notices.body('It asks something.')).toBe('Er fragt etwas.');
    expect([de.audit.what('sign in'), de.audit.what('toString')]).toEqual(['angemeldet', 'toString']);
    expect(de.model.turnProblem('error_max_turns', 'It stopped')).toContain('weiter');
    expect(de.model.turnProblem('error_during_execution', 'It broke')).toBe('It broke');
  });

  it('[CO3775] an amount is read as the language of the page writes it, never as a hundred times as much', () => {
    const german = ['0,50', '0.50', '5', '1.500', '1.234,5', '12,5k', '0,125', '0.125', '2m', '1,2,3'];
    expect(german.map((typed) => amountOf(typed, ','))).toEqual([
      0.5,
      0.5,
      5,
      1500,
      1234.5,
      12_500,
      0.125,
      0.125,
      2_000_000,
      null,
    ]);
    const english = ['$0.50', '0,50', '1,500', '1,234.5', '1.500', '500k', '', '0'];
    expect(english.map((typed) => amountOf(typed, '.'))).toEqual([
      0.5,
      0.5,
      1500,
      1234.5,
      1.5,
      500_000,
      undefined,
      null,
    ]);
  });

  it('[CO3405] run in either direction: no style has a left or a right', () => {
    const physical =
      /(?:^|[\s;{-])(?:left|right)\s*:|-(?:left|right)(?:-radius)?\s*:|(?:text-align|float|clear):\s*(?:left|right)/;
    const strays = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.css'))
      .flatMap((path) =>
        readFileSync(join(SOURCE, path), 'utf8')
          .split('\n')
          .filter((line) => physical.test(line) || isLopsided(line))
          .map((line) => `${path}: ${line.trim()}`),
      );
    expect(strays).toEqual([]);
    expect(
      ['  padding: 0 1px 0 2px;', '  padding: 0 1px 2px;', '  inset: 0 auto 0 0;'].map(isLopsided),
    ).toEqual([true, false, true]);
  });
});

/** A shorthand whose second and fourth values, right and left, differ. */
function isLopsided(line: string): boolean {
  const [, values = ''] =
    /^\s*(?:padding|margin|inset|scroll-margin|scroll-padding):\s*([^;]+);/.exec(line) ?? [];
  let plain = values;
  while (plain.includes('(')) plain = plain.replaceAll(/\([^()]*\)/g, '');
  const parts = plain.split(/\s+/);
  return parts.length === 4 && parts[1] !== parts[3];
}

function sourceFiles(): string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !OWN_WORDS.test(path))
    .map((path) => join(SOURCE, path));
}

function strayTexts(path: string): string[] {
  const name = relative(SOURCE, path);
  return textsIn(path, readFileSync(path, 'utf8')).map((text) => `${name}: ${text}`);
}

/** The texts for people that a source file has itself. */
function textsIn(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: string[] = [];
  const take = (text: string): void => {
    if (/\p{L}/u.test(text) && !SAME_EVERYWHERE.has(text.trim()) && !SAME_EVERYWHERE.has(text))
      found.push(text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isJsxElement(node) && LITERAL_ELEMENTS.test(node.openingElement.tagName.getText())) return;
    if (ts.isJsxText(node)) take(node.text.trim());
    else if (ts.isTemplateExpression(node)) {
      if (isSentence(node.head.text)) take(node.head.text);
    } else if (
      ts.isStringLiteralLike(node) &&
      (isShown(node) || isSentence(node.text) || (!path.endsWith('x') && isPhrase(node.text)))
    )
      take(node.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Whether a literal is what an element shows: a child, or an attribute with words; also as one of several choices. */
function isShown(literal: ts.Node): boolean {
  let node = literal;
  while (isChoiceOf(node, node.parent)) node = node.parent;
  if (ts.isJsxAttribute(node.parent)) return SEEN.has(node.parent.name.getText());
  if (!ts.isJsxExpression(node.parent)) return false;
  const { parent } = node.parent;
  return ts.isJsxAttribute(parent) ? SEEN.has(parent.name.getText()) : true;
}

function isChoiceOf(node: ts.Node, parent: ts.Node): boolean {
  if (ts.isParenthesizedExpression(parent)) return true;
  if (ts.isConditionalExpression(parent)) return parent.condition !== node;
  return ts.isBinaryExpression(parent) && /^(?:&&|\|\||\?\?)$/.test(parent.operatorToken.getText());
}

/** Words as people write them, unlike names of things: a capital at the start and a space behind the first word. */
function isSentence(text: string): boolean {
  return /^ ?[“A-Z][\p{L}’']* \p{L}|^[A-Z]\p{Ll}+ …$|\p{L} …$/u.test(text) || /^\p{Lu}\p{Ll}+ $/u.test(text);
}

/** Several words in small letters; in TSX they may be names of classes. */
function isPhrase(text: string): boolean {
  return /^\p{Ll}[\p{L}’']*[,:]?(?: [\p{L}’']+[,:.]?)+$/u.test(text);
}

type Tree = Readonly<Record<string, unknown>>;

function compare(english: Tree, german: Tree, path: string, problems: string[]): void {
  for (const [key, own] of Object.entries(english)) {
    const at = `${path}${key}`;
    const other = german[key];
    if (typeof own === 'string' && (typeof other !== 'string' || (other === '') !== (own === '')))
      problems.push(`${at} is empty`);
    if (typeof own === 'function' && typeof other === 'function') {
      // What was given has to be seen in what is said.
      const said = (call: Function): string => JSON.stringify(call('§1', '§2', '§3', '§4', '§5'));
      if (path === 'states.') continue;
      for (const value of ['§1', '§2', '§3', '§4', '§5'])
        if (said(own).includes(value) !== said(other).includes(value)) problems.push(`${at} loses ${value}`);
    }
    if (isTree(own) && isTree(other)) compare(own, other, `${at}.`, problems);
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
