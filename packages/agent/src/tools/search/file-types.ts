import { ToolFailure } from '../../base/tool-failure.ts';

/** The names of files by what they hold, under the names that ripgrep has for them. */
const FILE_TYPES: Readonly<Record<string, readonly string[]>> = {
  bash: ['*.bash', '*.sh', '.bashrc', '.bash_profile', '.profile'],
  c: ['*.c', '*.h', '*.H', '*.cats', '*.[chH].in'],
  cpp: ['*.cpp', '*.cc', '*.cxx', '*.hpp', '*.hh', '*.hxx', '*.h', '*.C', '*.H', '*.inl'],
  cs: ['*.cs'],
  css: ['*.css', '*.scss'],
  dart: ['*.dart'],
  docker: ['*Dockerfile*'],
  elixir: ['*.ex', '*.eex', '*.exs', '*.heex', '*.leex'],
  go: ['*.go'],
  graphql: ['*.graphql', '*.graphqls'],
  haskell: ['*.hs', '*.lhs', '*.cpphs', '*.c2hs', '*.hsc'],
  html: ['*.htm', '*.html', '*.ejs'],
  java: ['*.java', '*.jsp', '*.jspx', '*.properties'],
  js: ['*.js', '*.jsx', '*.vue', '*.cjs', '*.mjs'],
  json: ['*.json', 'composer.lock', '*.sarif'],
  kotlin: ['*.kt', '*.kts'],
  lua: ['*.lua'],
  make: ['[Gg][Nn][Uu]makefile', '[Mm]akefile', '*.mk', '*.mak'],
  markdown: ['*.markdown', '*.md', '*.mdown', '*.mdwn', '*.mkd', '*.mkdn', '*.mdx'],
  md: ['*.markdown', '*.md', '*.mdown', '*.mdwn', '*.mkd', '*.mkdn', '*.mdx'],
  php: ['*.php', '*.php3', '*.php4', '*.php5', '*.php7', '*.php8', '*.pht', '*.phtml'],
  protobuf: ['*.proto'],
  py: ['*.py', '*.pyi'],
  python: ['*.py', '*.pyi'],
  r: ['*.R', '*.r', '*.Rmd', '*.rmd', '*.Rnw', '*.rnw'],
  ruby: ['*.rb', '*.rbw', '*.gemspec', 'Gemfile', 'Rakefile', 'config.ru', '.irbrc'],
  rust: ['*.rs'],
  scala: ['*.scala', '*.sbt'],
  sh: ['*.sh', '*.bash', '*.csh', '*.ksh', '*.tcsh', '*.zsh', '.bashrc', '.profile', '.zshrc'],
  sql: ['*.sql', '*.psql'],
  svelte: ['*.svelte'],
  swift: ['*.swift'],
  terraform: ['*.tf', '*.tf.json', '*.tfvars', '*.tfvars.json'],
  toml: ['*.toml', 'Cargo.lock'],
  ts: ['*.ts', '*.tsx', '*.cts', '*.mts'],
  txt: ['*.txt'],
  typescript: ['*.ts', '*.tsx', '*.cts', '*.mts'],
  vue: ['*.vue'],
  xml: ['*.xml', '*.xsl', '*.xslt', '*.xsd', '*.svg', '*.rng', '*.sch'],
  yaml: ['*.yaml', '*.yml'],
  zig: ['*.zig'],
};

/** The names that files of a type have. Throws, with the types there are, for one that is not known. */
export function namesOfType(type: string): readonly string[] {
  const names = Object.hasOwn(FILE_TYPES, type) ? FILE_TYPES[type] : undefined;
  if (names) return names;
  throw new ToolFailure(`Unknown file type ${type}. Known are: ${Object.keys(FILE_TYPES).join(', ')}.`);
}
