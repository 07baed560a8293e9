/** A language as people call it, and the grammar that reads it. */
export interface Language {
  name: string;
  grammar: string;
}

/** By what is written behind the fence of a code block, and by the ending of a file. */
const LANGUAGES: Readonly<Record<string, readonly [name: string, grammar: string]>> = {
  bash: ['Shell', 'bash'],
  sh: ['Shell', 'bash'],
  shell: ['Shell', 'bash'],
  zsh: ['Shell', 'bash'],
  console: ['Shell', 'bash'],
  c: ['C', 'c'],
  h: ['C', 'c'],
  cs: ['C#', 'csharp'],
  csharp: ['C#', 'csharp'],
  css: ['CSS', 'css'],
  diff: ['Diff', 'diff'],
  patch: ['Diff', 'diff'],
  docker: ['Dockerfile', 'docker'],
  dockerfile: ['Dockerfile', 'docker'],
  go: ['Go', 'go'],
  golang: ['Go', 'go'],
  html: ['HTML', 'xml'],
  ini: ['INI', 'ini'],
  java: ['Java', 'java'],
  json: ['JSON', 'json'],
  jsonc: ['JSON', 'json'],
  kotlin: ['Kotlin', 'kotlin'],
  kt: ['Kotlin', 'kotlin'],
  make: ['Makefile', 'make'],
  makefile: ['Makefile', 'make'],
  markdown: ['Markdown', 'markdown'],
  md: ['Markdown', 'markdown'],
  py: ['Python', 'python'],
  python: ['Python', 'python'],
  rs: ['Rust', 'rust'],
  rust: ['Rust', 'rust'],
  sql: ['SQL', 'sql'],
  svg: ['SVG', 'xml'],
  swift: ['Swift', 'swift'],
  toml: ['TOML', 'toml'],
  cjs: ['JavaScript', 'tsx'],
  javascript: ['JavaScript', 'tsx'],
  js: ['JavaScript', 'tsx'],
  jsx: ['JavaScript', 'tsx'],
  mjs: ['JavaScript', 'tsx'],
  mts: ['TypeScript', 'tsx'],
  ts: ['TypeScript', 'tsx'],
  tsx: ['TypeScript', 'tsx'],
  typescript: ['TypeScript', 'tsx'],
  xml: ['XML', 'xml'],
  yaml: ['YAML', 'yaml'],
  yml: ['YAML', 'yaml'],
};

const LONGEST_NAME = 20;

/** The language of a code block, from what is written behind its fence; without a grammar where the page has none. */
export function languageOf(fence: string | undefined): Language | undefined {
  const word = /^[^\s{,]+/.exec(fence?.trim() ?? '')?.[0] ?? '';
  if (word === '') return undefined;
  const known = Object.hasOwn(LANGUAGES, word.toLowerCase()) ? LANGUAGES[word.toLowerCase()] : undefined;
  return known ? { name: known[0], grammar: known[1] } : { name: word.slice(0, LONGEST_NAME), grammar: '' };
}

/** The language of a file, from its name; undefined where nobody knows. */
export function languageOfFile(path: string): Language | undefined {
  const file = path.split(/[/\\]/).at(-1)?.toLowerCase() ?? '';
  const language = languageOf(file.includes('.') ? file.split('.').at(-1) : file);
  return language?.grammar ? language : undefined;
}
