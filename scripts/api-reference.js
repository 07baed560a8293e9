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

/**
 * The names of exported types, by what the compiler calls them, the longest first.
 * @type {Map<string, string>}
 */
const inferred = new Map();

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
    nameInferred(checker, [...symbols.values()]);
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
  if (ts.isTypeAliasDeclaration(declaration) && isInferred(declaration))
    return inferredText(checker, declaration);
  const text = ts.isClassDeclaration(declaration) ? classText(declaration) : withoutBody(declaration);
  return text.replace(/^export (?:default )?/, '');
}

function nameInferred(
  /** @type {import('typescript-api').TypeChecker} */ checker,
  /** @type {import('typescript-api').Symbol[]} */ symbols,
) {
  inferred.clear();
  const declared = symbols
    .map((one) => (one.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(one) : one))
    .flatMap((one) => one.declarations ?? []);
  const aliases = declared.flatMap((one) => {
    if (!ts.isTypeAliasDeclaration(one) || one.typeParameters) return [];
    const text = textOf(checker, checker.getTypeAtLocation(one.name), one, ts.TypeFormatFlags.InTypeAlias);
    return text.includes('{') ? [{ text, name: one.name.text }] : [];
  });
  for (const { text, name } of aliases.toSorted((a, b) => b.text.length - a.text.length))
    inferred.set(text, name);
}

/** Whether a type is what a schema says. */
function isInferred(/** @type {import('typescript-api').TypeAliasDeclaration} */ { type, typeParameters }) {
  return (
    !typeParameters &&
    ts.isTypeReferenceNode(type) &&
    /^z\.(?:infer|input|output)$/.test(type.typeName.getText())
  );
}

/** A type that a schema says, field by field, with what the schema says about each. */
function inferredText(
  /** @type {import('typescript-api').TypeChecker} */ checker,
  /** @type {import('typescript-api').TypeAliasDeclaration} */ declaration,
) {
  const type = checker.getTypeAtLocation(declaration.name);
  const about = new Map();
  const schema = ts.isTypeReferenceNode(declaration.type) && declaration.type.typeArguments?.[0];
  if (schema && ts.isTypeQueryNode(schema)) gatherWords(checker, schema.exprName, about);
  const members = type.isUnion() ? type.types : [type];
  const texts = members.map((member) => fieldsText(checker, member, about, declaration));
  return `type ${declaration.name.text} = ${texts.join(' | ')};`;
}

function fieldsText(
  /** @type {import('typescript-api').TypeChecker} */ checker,
  /** @type {import('typescript-api').Type} */ type,
  /** @type {Map<string, string>} */ about,
  /** @type {import('typescript-api').TypeAliasDeclaration} */ declaration,
) {
  const fields = type.getProperties();
  if (!(type.flags & ts.TypeFlags.Object) || fields.length === 0) return checker.typeToString(type);
  const lines = fields.map((field) => {
    const words = about.get(field.name);
    const mark = field.flags & ts.SymbolFlags.Optional ? '?' : '';
    const whole = textOf(checker, checker.getTypeOfSymbol(field), declaration);
    const of = named(mark ? whole.replace(/ \| undefined$/, '') : whole);
    return `${words === undefined ? '' : `  /** ${words} */\n`}  ${field.name}${mark}: ${of};`;
  });
  return ['{', ...lines, '}'].join('\n');
}

function textOf(
  /** @type {import('typescript-api').TypeChecker} */ checker,
  /** @type {import('typescript-api').Type} */ type,
  /** @type {import('typescript-api').Node} */ place,
  flags = ts.TypeFormatFlags.None,
) {
  const { NoTruncation, UseSingleQuotesForStringLiteralType } = ts.TypeFormatFlags;
  return checker.typeToString(type, place, NoTruncation | UseSingleQuotesForStringLiteralType | flags);
}

/** A type with the names of those in it that have a section of their own. */
function named(/** @type {string} */ text) {
  return [...inferred].reduce((rest, [whole, name]) => rest.replaceAll(whole, name), text);
}

/** What the schemas of fields say in `describe`, by the names of the fields; those of a schema that another extends as well. */
function gatherWords(
  /** @type {import('typescript-api').TypeChecker} */ checker,
  /** @type {import('typescript-api').Node} */ name,
  /** @type {Map<string, string>} */ about,
) {
  const declared = checker.getSymbolAtLocation(name)?.valueDeclaration;
  if (!declared || !ts.isVariableDeclaration(declared) || !declared.initializer) return;
  const visit = (/** @type {import('typescript-api').Node} */ node) => {
    if (ts.isPropertyAssignment(node)) {
      const words = /\.describe\(\s*(['"])(.*)\1,?\s*\)$/s.exec(node.initializer.getText())?.[2];
      if (words !== undefined) about.set(node.name.getText(), words);
    } else if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      if (node.expression.text !== 'z') gatherWords(checker, node.expression, about);
    } else node.forEachChild(visit);
  };
  visit(declared.initializer);
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
