// @ts-check
// Makes docs/api/ from the exports of the SDK and their comments: a page for each part of index.ts.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript-api';
import { root } from './setup.js';

const ENTRY = join(root, 'packages/sdk/src/index.ts');
const BROWSER_ENTRY = join(root, 'packages/sdk/src/browser/index.ts');
const HUB_ENTRY = join(root, 'packages/sdk/src/hub/index.ts');
const WIRE_ENTRY = join(root, 'packages/sdk/src/wire/index.ts');
const MODEL_ENTRY = join(root, 'packages/model/src/index.ts');

/** Where the pages lie. */
export const API_FOLDER = join(root, 'docs/api');

/** @typedef {{ title: string, names: string[] }} Part */

/** The pages, by their file names. */
export function apiPages() {
  const program = ts.createProgram(
    [ENTRY, BROWSER_ENTRY, HUB_ENTRY, WIRE_ENTRY, MODEL_ENTRY],
    compilerOptions(),
  );
  const checker = program.getTypeChecker();
  /** @type {Map<string, string>} */
  const pages = new Map();
  const contents = ['# API', '', 'Made from the source by `node scripts/api-reference.js`.', ''];
  for (const { file, specifier, page } of [
    { file: ENTRY, specifier: 'signalbox', page: undefined },
    { file: BROWSER_ENTRY, specifier: 'signalbox/browser', page: 'Browser' },
    { file: HUB_ENTRY, specifier: 'signalbox/hub', page: 'Hub' },
    { file: WIRE_ENTRY, specifier: 'signalbox/wire', page: 'Wire' },
    { file: MODEL_ENTRY, specifier: 'signalbox/model', page: 'Model' },
  ]) {
    const source = program.getSourceFile(file);
    const symbol = source && checker.getSymbolAtLocation(source);
    if (!source || !symbol) throw new Error(`${file} is not a module`);
    const symbols = new Map(checker.getExportsOfModule(symbol).map((one) => [one.name, one]));
    for (const { title, names } of partsOf(source, page)) {
      const name = `${fileName(title)}.md`;
      contents.push(`- [${title}](${name}): ${names.map((one) => `\`${one}\``).join(', ')}`);
      const entries = names.map((one) => describe(checker, one, symbols.get(one)));
      const intro = `# ${title}\n\n\`import { … } from '${specifier}'\``;
      pages.set(name, `${[intro, ...entries].join('\n\n')}\n`);
    }
  }
  pages.set('README.md', `${contents.join('\n')}\n`);
  return pages;
}

/** @returns {import('typescript-api').CompilerOptions} */
function compilerOptions() {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  return ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root).options;
}

/**
 * The exports by name, on one page or on one for each comment that stands alone.
 * @returns {Part[]}
 */
function partsOf(
  /** @type {import('typescript-api').SourceFile} */ source,
  /** @type {string | undefined} */ page,
) {
  /** @type {Part[]} */
  const parts = page === undefined ? [] : [{ title: page, names: [] }];
  for (const statement of source.statements) {
    const title = /^\/\/ (.+)$/m.exec(source.text.slice(statement.pos, statement.getStart()))?.[1];
    if (page === undefined && title !== undefined) parts.push({ title: capitalized(title), names: [] });
    if (!ts.isExportDeclaration(statement) || !statement.exportClause) continue;
    if (ts.isNamedExports(statement.exportClause))
      parts.at(-1)?.names.push(...statement.exportClause.elements.map(({ name }) => name.text));
  }
  return parts;
}

function describe(
  /** @type {import('typescript-api').TypeChecker} */ checker,
  /** @type {string} */ name,
  /** @type {import('typescript-api').Symbol | undefined} */ exported,
) {
  if (!exported) throw new Error(`${name} is exported, and nowhere to be found`);
  const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
  const comment = ts
    .displayPartsToString(symbol.getDocumentationComment(checker))
    .replaceAll(/\{@link (\w+)\}/g, '`$1`');
  const code = (symbol.declarations ?? []).map((one) => signatureOf(checker, one)).join('\n');
  return [`## ${name}`, ...(comment ? [comment] : []), `\`\`\`ts\n${code}\n\`\`\``].join('\n\n');
}

/** A declaration as its user sees it: without bodies, and without what is private. */
function signatureOf(
  /** @type {import('typescript-api').TypeChecker} */ checker,
  /** @type {import('typescript-api').Declaration} */ declaration,
) {
  if (ts.isVariableDeclaration(declaration)) {
    const type = checker.typeToString(
      checker.getTypeAtLocation(declaration),
      undefined,
      ts.TypeFormatFlags.NoTruncation,
    );
    return `const ${declaration.name.getText()}: ${type};`;
  }
  const text = ts.isClassDeclaration(declaration) ? classText(declaration) : withoutBody(declaration);
  return text.replace(/^export (?:default )?/, '');
}

function classText(/** @type {import('typescript-api').ClassDeclaration} */ declaration) {
  const heritage = (declaration.heritageClauses ?? []).map((clause) => ` ${clause.getText()}`).join('');
  const members = declaration.members.filter(isPublic).map((member) => {
    const comment = ts.getJSDocCommentsAndTags(member).map((one) => `  ${one.getText()}\n`);
    return `${comment.join('')}  ${withoutBody(member)}`;
  });
  return [`class ${declaration.name?.text ?? ''}${heritage} {`, ...members, '}'].join('\n');
}

function isPublic(/** @type {import('typescript-api').ClassElement} */ member) {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  const isHidden = (ts.getCombinedModifierFlags(member) & hidden) !== 0;
  return !isHidden && !(member.name && ts.isPrivateIdentifier(member.name));
}

function withoutBody(/** @type {import('typescript-api').Node} */ node) {
  const text = node.getText();
  const hasBody = ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;
  if (!hasBody) return text;
  const body = /** @type {import('typescript-api').Node} */ (node.body);
  return `${text
    .slice(0, body.getStart() - node.getStart())
    .trimEnd()
    .replace(/\basync \*?/, '')};`;
}

function fileName(/** @type {string} */ title) {
  return title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function capitalized(/** @type {string} */ text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The pages as they lie in the folder. */
export function storedPages() {
  const names = readdirSync(API_FOLDER);
  return new Map(names.map((name) => [name, readFileSync(join(API_FOLDER, name), 'utf8')]));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  rmSync(API_FOLDER, { recursive: true, force: true });
  mkdirSync(API_FOLDER, { recursive: true });
  for (const [name, text] of apiPages()) writeFileSync(join(API_FOLDER, name), text);
}
