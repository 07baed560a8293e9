import type { ReadingProgram } from './reading-options.ts';

/**
 * What shows differences: the patch options that neither write (`--output`) nor run a program (`--ext-diff`). Git takes
 * the value of some only where it is attached: in `git diff -U a b` both are files.
 */
const DIFF =
  '-puRawbzs -MCU? -S= -G= -l= --patch --no-patch --unified? --raw --stat? --numstat --shortstat --dirstat? --summary --name-only ' +
  '--name-status --color? --no-color --word-diff? --color-words? --no-renames --find-renames? --find-copies? --check --full-index ' +
  '--binary --abbrev? --no-abbrev --diff-filter= --pickaxe-all --pickaxe-regex --relative? --text --ignore-space-at-eol ' +
  '--ignore-space-change --ignore-all-space --ignore-blank-lines --inter-hunk-context= --function-context --exit-code --quiet ' +
  '--no-ext-diff --no-textconv --ignore-submodules? --submodule? --src-prefix= --dst-prefix= --no-prefix --minimal --patience ' +
  '--histogram --diff-algorithm= --compact-summary --patch-with-stat --cached --staged --merge-base --cc -m -c';

/** What chooses and shows commits. `%G` in a format runs gpg: see the survey. */
const LOG =
  '-n= -L= -ig --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep= --all-match --invert-grep ' +
  '--regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --first-parent --not --all --branches? ' +
  '--tags? --remotes? --glob= --exclude= --reflog --cherry-pick --left-right --left-only --right-only --cherry --boundary ' +
  '--simplify-by-decoration --full-history --dense --sparse --simplify-merges --ancestry-path --date-order --author-date-order ' +
  '--topo-order --reverse --oneline --graph --no-graph --decorate? --no-decorate --pretty? --format= --abbrev-commit ' +
  '--no-abbrev-commit --date= --relative-date --parents --children --show-notes? --no-notes --follow --walk-reflogs --source ' +
  '--no-mailmap --use-mailmap --log-size --encoding= --expand-tabs? --no-expand-tabs --min-parents= --max-parents= --count --root';

const OPERANDS = { operands: 'files', counts: true, anyArgument: true } as const;

/** The subcommands of git that only read, and with which options. */
export const READING_GIT: Readonly<Record<string, ReadingProgram>> = {
  status: {
    why: 'tells what has changed',
    options:
      '-sbvz -u? --short --branch --porcelain? --long --verbose --show-stash --untracked-files? --ignored? --ignore-submodules? ' +
      '--column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?',
    ...OPERANDS,
  },
  log: { why: 'shows commits', options: `${LOG} ${DIFF}`, ...OPERANDS },
  whatchanged: { why: 'shows commits', options: `${LOG} ${DIFF}`, ...OPERANDS },
  show: { why: 'shows commits and files', options: `${LOG} ${DIFF}`, ...OPERANDS },
  diff: {
    why: 'shows changes; of files elsewhere too, so that operands are files',
    options: DIFF,
    ...OPERANDS,
  },
  'diff-tree': { why: 'shows changes', options: `-rt --root --no-commit-id --pretty? ${DIFF}`, ...OPERANDS },
  'diff-index': { why: 'shows changes', options: DIFF, ...OPERANDS },
  'diff-files': { why: 'shows changes', options: DIFF, ...OPERANDS },
  reflog: {
    why: 'shows where branches were; expire and delete change that',
    options: `${LOG} ${DIFF}`,
    operands: 'none',
    counts: true,
  },
  shortlog: {
    why: 'counts commits',
    options: `-snec --summary --numbered --email --committer --group= ${LOG}`,
    ...OPERANDS,
  },
  'rev-list': { why: 'lists commits', options: `${LOG} --objects --timestamp --header`, ...OPERANDS },
  'rev-parse': {
    why: 'tells names and folders',
    options:
      '-q --verify --quiet --short? --abbrev-ref? --symbolic --symbolic-full-name --all --branches? --tags? --remotes? ' +
      '--show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree ' +
      '--is-inside-git-dir --is-bare-repository --is-shallow-repository --show-superproject-working-tree --show-object-format? ' +
      '--path-format= --revs-only --no-revs --flags --no-flags --sq --not --since= --until=',
    ...OPERANDS,
  },
  'ls-files': {
    why: 'lists files; -X reads patterns from a file',
    options:
      '-cdmoiskuztvf -x= --cached --deleted --modified --others --ignored --stage --killed --unmerged --directory ' +
      '--no-empty-directory --exclude= --exclude-standard --error-unmatch --full-name --recurse-submodules --abbrev? --eol --deduplicate',
    ...OPERANDS,
  },
  'ls-tree': {
    why: 'lists files',
    options: '-drtlz --long --name-only --name-status --full-name --full-tree --abbrev? --format=',
    ...OPERANDS,
  },
  'cat-file': {
    why: 'shows an object; --textconv and --filters run programs',
    options: '-petsz --batch-check? --batch?',
    ...OPERANDS,
  },
  blame: {
    why: 'tells who wrote a line; --contents and --ignore-revs-file show other files',
    options:
      '-bcefklnpstw -MC? -L= --root --show-stats --line-porcelain --porcelain --incremental --show-name --show-number --show-email --date= --since= --abbrev? --first-parent --color-lines --color-by-age --reverse',
    ...OPERANDS,
  },
  describe: {
    why: 'names a commit',
    options:
      '--all --tags --contains --abbrev? --candidates= --exact-match --debug --long --match= --exclude= --always --first-parent --dirty? --broken?',
    ...OPERANDS,
  },
  'merge-base': {
    why: 'names a commit',
    options: '-a --all --octopus --independent --is-ancestor --fork-point',
    ...OPERANDS,
  },
  'name-rev': {
    why: 'names commits',
    options: '--tags --refs= --exclude= --all --name-only --no-undefined --always',
    ...OPERANDS,
  },
  cherry: { why: 'compares branches', options: '-v --abbrev?', ...OPERANDS },
  'show-ref': {
    why: 'lists names',
    options: '-dqs --head --heads --branches --tags --dereference --hash? --verify --abbrev? --quiet',
    ...OPERANDS,
  },
  'for-each-ref': {
    why: 'lists names',
    options:
      '--count= --sort= --format= --color? --points-at= --merged? --no-merged? --contains? --no-contains? --ignore-case --shell --perl --python --tcl',
    ...OPERANDS,
  },
  'count-objects': { why: 'counts', options: '-vH --verbose --human-readable', operands: 'none' },
  'check-ignore': {
    why: 'tells what is ignored',
    options: '-qvnz --quiet --verbose --non-matching --no-index',
    ...OPERANDS,
  },
  grep: {
    why: 'prints lines that match; -O runs a pager, --no-index looks elsewhere',
    options:
      '-aIiwvhHEGPFnlLzocpWq -e= -f< -A= -B= -C= -m= --cached --untracked --text --ignore-case --word-regexp --invert-match ' +
      '--extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only ' +
      '--files-without-match --null --only-matching --count --color? --no-color --break --heading --show-function ' +
      '--function-context --after-context= --before-context= --context= --and --or --not --all-match --quiet --max-depth= --max-count= --threads= --recurse-submodules',
    operands: 'pattern',
    patterns: '-e -f',
    counts: true,
    recursive: 'always',
    anyArgument: true,
  },
  branch: {
    why: 'lists branches; with a name it makes or changes one',
    options:
      '-arvil --list --all --remotes --show-current --verbose --color? --no-color --column? --no-column --abbrev? --no-abbrev ' +
      '--sort= --format= --contains= --no-contains= --merged= --no-merged= --points-at= --ignore-case',
    operands: 'none',
    listing: '-l --list',
  },
  tag: {
    why: 'lists tags; with a name it makes one',
    options:
      '-il -n? --list --sort= --format= --color? --column? --no-column --contains= --no-contains= --merged= --no-merged= --points-at= --ignore-case',
    operands: 'none',
    listing: '-l --list',
  },
  remote: { why: 'lists remotes', options: '-v --verbose', operands: 'none' },
  'remote get-url': { why: 'shows an address', options: '--push --all', operands: 'text' },
  'stash list': { why: 'lists stashes', options: `${LOG} ${DIFF}`, operands: 'none' },
  'stash show': { why: 'shows a stash', options: DIFF, operands: 'text' },
  'worktree list': { why: 'lists folders', options: '-vz --porcelain --verbose', operands: 'none' },
  'config --get': {
    why: 'shows a setting',
    options:
      '--local --global --system --worktree --show-origin --show-scope --type= --bool --int --path --null -z',
    operands: 'text',
  },
  version: { why: 'tells the version', options: '--build-options', operands: 'none' },
};

/** Options that make git show lines of files, and those that make it show less. */
const SHOWS_LINES =
  /^(?:-[^-]*[pucmLUW].*|--(?:patch|unified|word-diff|color-words|cc|binary|function-context|full-index|check).*)$/s;
const SHOWS_NAMES =
  /^(?:-s|--(?:no-patch|raw|stat|numstat|shortstat|dirstat|summary|name-only|name-status|compact-summary|quiet)(?:=.*)?)$/s;
/** `git status -v` shows what would be committed. */
const IS_VERBOSE = /^(?:-[^-]*v.*|--verbose)$/s;
/** The name of an object, which `git show` prints whatever its options are. */
const OBJECT_NAME = /^[0-9a-f]{4,64}$/i;

/** Whether a subcommand shows lines of files that its arguments need not name. */
export function showsTrackedFiles(subcommand: string, args: readonly string[]): boolean {
  if (subcommand === 'cat-file') return true;
  if (subcommand === 'grep') return args.some((arg) => arg.startsWith(':')) || mayNameCommit(args);
  if (subcommand === 'status' && args.some((arg) => IS_VERBOSE.test(arg))) return true;
  if (subcommand === 'show' && args.some((arg) => OBJECT_NAME.test(arg))) return true;
  if (args.some((arg) => SHOWS_LINES.test(arg))) return !/^(?:branch|tag|remote)$/.test(subcommand);
  return /^(?:diff|show)$/.test(subcommand) && !args.some((arg) => SHOWS_NAMES.test(arg));
}

/** Whether words of `git grep` may be more than its pattern and, behind `--`, folders: `git grep x HEAD` looks into a commit. */
function mayNameCommit(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const words = args.slice(0, end === -1 ? args.length : end).filter((arg) => !arg.startsWith('-'));
  return words.length > (args.some((arg) => /^-[^-]*[ef]/.test(arg)) ? 0 : 1);
}
