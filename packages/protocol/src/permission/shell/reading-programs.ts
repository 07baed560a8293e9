import type { ReadingProgram } from './reading-options.ts';

const FILES = 'files';
const CHECKSUM: ReadingProgram = {
  why: 'prints a sum; -c would read the names of other files from a file',
  options: '-btz --binary --text --tag --zero',
  operands: FILES,
  anyArgument: true,
};
const GREP: ReadingProgram = {
  why: 'prints lines that match; -d recurse is -r in other words, and BSD takes only a number at -C for its value',
  options:
    '-EFGPiIvwxcLlqshHnoabUZzTyrR -e= -m= -A= -B= -C? -D= -f< --extended-regexp --fixed-strings --basic-regexp ' +
    '--perl-regexp --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count ' +
    '--files-with-matches --files-without-match --only-matching --quiet --silent --no-messages --byte-offset ' +
    '--with-filename --no-filename --line-number --initial-tab --null --null-data --text --recursive ' +
    '--dereference-recursive --line-buffered --color? --colour? --regexp= --max-count= --after-context= ' +
    '--before-context= --context? --include= --exclude= --exclude-dir= --label= --binary-files= ' +
    '--file< --exclude-from<',
  operands: 'pattern',
  patterns: '-e -f --regexp --file',
  counts: true,
  recursive: '-r -R --recursive --dereference-recursive',
  following: '-R --dereference-recursive',
  anyArgument: true,
};
const HERE: ReadingProgram = { why: 'tells about this computer or user', operands: 'none' };
const WORDS: ReadingProgram = { why: 'every argument is a text', operands: 'anything', anyArgument: true };
const VERSION: ReadingProgram = { why: 'runs code, but not to tell its version', operands: 'none' };

export const DATE: ReadingProgram = {
  why: 'tells the time; -s sets it, -f prints the lines of a file that are no dates',
  options: '-uR -I? -d= -r< --utc --universal --rfc-email --iso-8601? --rfc-3339= --date= --reference<',
  operands: 'text',
};

export const DIFF: ReadingProgram = {
  why: 'compares files; --from-file reads another one, -l runs pr',
  options:
    '-abBcdeEiNnpqrstTuwyZ -C= -U= -I= -W= -x= -F= --brief --side-by-side --unified? --context? --recursive --ignore-case ' +
    '--ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-trailing-space --text --new-file --minimal ' +
    '--report-identical-files --suppress-common-lines --strip-trailing-cr --color? --width= --exclude= --label= ' +
    '--no-dereference --normal --show-c-function',
  operands: FILES,
  counts: true,
  recursive: '-r --recursive',
  following: '-r --recursive',
};

/**
 * What is known to only read, and with which options. What is not here is asked about: an option that nobody looked at
 * may write, run a program or reveal something. Left out on purpose: `less` and `man` (run a pager), `env` and
 * `printenv` (show secrets), `yarn`, `pnpm`, `npm`, `cargo`, `rustc` and `go` (a file of the project decides what their
 * `--version` runs), `xxd -r`, `uniq` with two files and `tree -o` (write), `file -z` and `rg -z` (run programs).
 */
export const READING_PROGRAMS: Readonly<Record<string, ReadingProgram>> = {
  ':': WORDS,
  true: WORDS,
  false: WORDS,
  echo: WORDS,
  exit: WORDS,
  break: WORDS,
  continue: WORDS,
  return: WORDS,
  expr: WORDS,
  basename: WORDS,
  dirname: WORDS,
  seq: {
    why: 'prints numbers',
    options: '-w -s= -f= --equal-width --separator= --format=',
    operands: 'text',
    anyArgument: true,
  },
  sleep: { why: 'waits', operands: 'text', anyArgument: true },
  pwd: { why: 'prints the folder', options: '-LP', operands: 'none', anyArgument: true },
  whoami: HERE,
  arch: HERE,
  nproc: { ...HERE, options: '--all --ignore=' },
  logname: HERE,
  tty: { ...HERE, options: '-s' },
  groups: { ...HERE, operands: 'text', anyArgument: true },
  id: {
    ...HERE,
    options: '-ugGnrz --user --group --groups --name --real --zero',
    operands: 'text',
    anyArgument: true,
  },
  uname: {
    ...HERE,
    options: '-asnrvmpio --all --kernel-name --nodename --kernel-release --machine --operating-system',
  },
  uptime: { ...HERE, options: '-ps --pretty --since' },
  free: { ...HERE, options: '-bkmghtlw --bytes --kilo --mega --giga --human --total --wide' },
  lscpu: { ...HERE, options: '-aebcpJxy --all --json' },
  // With an operand it sets the name.
  hostname: { ...HERE, options: '-fsidIAy --fqdn --short --ip-address --all-ip-addresses --domain' },
  locale: { ...HERE, options: '-am' },
  date: DATE,
  cal: { why: 'prints a calendar', options: '-13jmsy', operands: 'text', anyArgument: true },
  which: { why: 'tells where a program is', options: '-as --all', operands: 'text', anyArgument: true },
  type: { why: 'tells what a command is', options: '-atpPf', operands: 'text', anyArgument: true },
  cat: {
    why: 'prints files',
    options:
      '-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting',
    operands: FILES,
    anyArgument: true,
  },
  tac: {
    why: 'prints files',
    options: '-br -s= --before --regex --separator=',
    operands: FILES,
    anyArgument: true,
  },
  rev: { why: 'prints files', operands: FILES, anyArgument: true },
  head: {
    why: 'prints the start of files',
    options: '-qvz -n= -c= --quiet --silent --verbose --zero-terminated --lines= --bytes=',
    operands: FILES,
    counts: true,
    anyArgument: true,
  },
  tail: {
    why: 'prints the end of files',
    options:
      '-fFqvz -n= -c= -s= --follow? --quiet --silent --verbose --zero-terminated --lines= --bytes= --pid= --retry',
    operands: FILES,
    counts: true,
    anyArgument: true,
  },
  nl: {
    why: 'prints files',
    options:
      '-p -b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --body-numbering= --number-width= --number-separator=',
    operands: FILES,
    anyArgument: true,
  },
  wc: {
    why: 'counts; --files0-from shows a file',
    options: '-clLmw --bytes --chars --lines --max-line-length --words',
    operands: FILES,
  },
  cut: {
    why: 'prints parts of lines',
    options:
      '-nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter= --zero-terminated',
    operands: FILES,
    anyArgument: true,
  },
  paste: {
    why: 'prints files',
    options: '-sz -d= --delimiters= --serial --zero-terminated',
    operands: FILES,
    anyArgument: true,
  },
  column: {
    why: 'prints files',
    options:
      '-texnL -s= -o= -c= -N= -R= -H= --table --separator= --output-separator= --output-width= --table-columns=',
    operands: FILES,
  },
  fold: {
    why: 'prints files',
    options: '-bs -w= --bytes --spaces --width=',
    operands: FILES,
    counts: true,
    anyArgument: true,
  },
  fmt: {
    why: 'prints files',
    options: '-cstu -w= --width=',
    operands: FILES,
    counts: true,
    anyArgument: true,
  },
  expand: { why: 'prints files', options: '-i -t= --initial --tabs=', operands: FILES, anyArgument: true },
  unexpand: {
    why: 'prints files',
    options: '-a -t= --all --first-only --tabs=',
    operands: FILES,
    anyArgument: true,
  },
  tr: {
    why: 'changes what it is fed',
    options: '-cCdst --complement --delete --squeeze-repeats --truncate-set1',
    operands: 'text',
    anyArgument: true,
  },
  sort: {
    why: 'prints files; -o writes, --compress-program runs a program, -T writes elsewhere',
    options:
      '-bdfgihMnRrVcCmsuz -k= -t= -S= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort ' +
      '--human-numeric-sort --month-sort --numeric-sort --random-sort --reverse --version-sort --check? --merge ' +
      '--stable --unique --zero-terminated --key= --field-separator= --buffer-size= --sort= --parallel= --debug',
    operands: FILES,
    anyArgument: true,
  },
  uniq: {
    why: 'prints a file; a second one is written',
    options:
      '-cdDiuz -f= -s= -w= --count --repeated --all-repeated? --ignore-case --unique --zero-terminated --skip-fields= --skip-chars= --check-chars=',
    operands: FILES,
    atMost: 1,
  },
  comm: {
    why: 'compares files',
    options: '-123z --check-order --nocheck-order --output-delimiter= --total',
    operands: FILES,
    anyArgument: true,
  },
  join: {
    why: 'joins files',
    options: '-iz -a= -e= -j= -o= -t= -v= -1= -2= --header --check-order --nocheck-order',
    operands: FILES,
    anyArgument: true,
  },
  cmp: {
    why: 'compares files',
    options: '-bls -i= -n= --print-bytes --verbose --quiet --silent --bytes= --ignore-initial=',
    operands: FILES,
    anyArgument: true,
  },
  diff: DIFF,
  strings: {
    why: 'prints texts in files; an operand @file has more arguments in that file',
    options: '-aw -n= -t= -e= -s= --all --bytes= --radix= --encoding=',
    operands: FILES,
    argumentFiles: '@',
    counts: true,
    anyArgument: true,
  },
  hexdump: {
    why: 'prints files; -f reads a format from a file',
    options: '-bcCdovx -n= -s= --canonical --length= --skip= --no-squeezing',
    operands: FILES,
  },
  xxd: {
    why: 'prints a file; a second one is written',
    options: '-abeipu -c= -g= -l= -s= -o=',
    operands: FILES,
    alone: true,
    atMost: 1,
  },
  od: {
    why: 'prints files',
    options:
      '-abcdfilosxv -A= -j= -N= -S= -t= -w? --address-radix= --skip-bytes= --read-bytes= --format= --width? --output-duplicates',
    operands: FILES,
    anyArgument: true,
  },
  base64: {
    why: 'prints files',
    options: '-di -w= --decode --ignore-garbage --wrap=',
    operands: FILES,
    anyArgument: true,
  },
  base32: {
    why: 'prints files',
    options: '-di -w= --decode --ignore-garbage --wrap=',
    operands: FILES,
    anyArgument: true,
  },
  md5sum: CHECKSUM,
  sha1sum: CHECKSUM,
  sha224sum: CHECKSUM,
  sha256sum: CHECKSUM,
  sha384sum: CHECKSUM,
  sha512sum: CHECKSUM,
  b2sum: CHECKSUM,
  cksum: { ...CHECKSUM, options: '-a= --algorithm=' },
  sum: { ...CHECKSUM, options: '-rs --sysv' },
  file: {
    why: 'tells what files are; -f shows a file, -m and -C read and write descriptions, -p sets its time, -z runs programs',
    options:
      '-bhiLNrk0 -F= --brief --dereference --no-dereference --mime --mime-type --mime-encoding --extension --separator=',
    operands: FILES,
  },
  stat: {
    why: 'tells about files',
    options: '-fLt -c= --dereference --file-system --format= --printf= --terse',
    operands: FILES,
    anyArgument: true,
  },
  readlink: {
    why: 'tells where links lead',
    options: '-femnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline',
    operands: FILES,
    anyArgument: true,
  },
  realpath: {
    why: 'tells where links lead',
    options:
      '-emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --no-symlinks --relative-to< --relative-base<',
    operands: FILES,
    anyArgument: true,
  },
  ls: {
    why: 'lists files; BSD takes the word after -I, -T and -w for a file',
    options:
      '-aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1 -I< -w< -T< --all --almost-all --author --escape --color? --directory ' +
      '--dereference --classify? --full-time --group-directories-first --no-group --human-readable --si --hide= --ignore= ' +
      '--inode --format= --numeric-uid-gid --literal --quote-name --reverse --recursive --size --sort= --time= ' +
      '--time-style= --width= --zero --hyperlink? --file-type --indicator-style=',
    operands: FILES,
    recursive: '-R --recursive',
    following: '-L --dereference',
    anyArgument: true,
  },
  tree: {
    why: 'lists files; -o writes, also within `-Lo 2 file`, --fromfile and --infofile read others, -l follows links',
    options:
      '-aCdDfFghiJnNpqQrsStuUvxX -L= -I= -P= --dirsfirst --filesfirst --du --prune --noreport --gitignore --si --sort= --matchdirs --charset= --filelimit=',
    operands: FILES,
    apart: true,
    anyArgument: true,
  },
  du: {
    why: 'tells how large files are; --files0-from and -X show a file',
    options:
      '-abchHklmsSx0 -d= -t= -B= --all --apparent-size --bytes --total --human-readable --max-depth= --summarize --separate-dirs --one-file-system --threshold= --exclude= --time?',
    operands: FILES,
  },
  df: {
    why: 'tells how full disks are',
    options:
      '-ahHiklPT -B= -t= -x= --all --human-readable --inodes --local --print-type --si --total --output?',
    operands: FILES,
    anyArgument: true,
  },
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  rg: {
    why: 'prints lines that match; --pre, --hostname-bin and -z run programs',
    options:
      '-iSsvwxclLnNHIoaFPUqpu.0 -e= -g= -t= -T= -m= -A= -B= -C= -r= -j= -M= -d= -E= -f< --files --hidden --no-hidden ' +
      '--no-ignore --no-ignore-vcs --no-ignore-parent --ignore-case --smart-case --case-sensitive --follow --count ' +
      '--count-matches --files-with-matches --files-without-match --line-number --no-line-number --with-filename ' +
      '--no-filename --heading --no-heading --multiline --multiline-dotall --only-matching --stats --trim --type-list ' +
      '--vimgrep --word-regexp --line-regexp --fixed-strings --invert-match --json --null --pcre2 --text --column ' +
      '--no-column --pretty --passthru --quiet --unrestricted --no-messages --no-config --crlf --glob-case-insensitive ' +
      '--color= --colors= --max-count= --max-depth= --max-columns= --max-filesize= --replace= --sort= --sortr= --type= ' +
      '--type-not= --glob= --iglob= --context= --after-context= --before-context= --context-separator= --threads= ' +
      '--regexp= --encoding= --file< --ignore-file<',
    operands: 'pattern',
    patterns: '-e -f --regexp --file --files --type-list',
    recursive: 'always',
    following: '-L --follow',
    hidden: '-u -. --hidden --unrestricted --ignore-file',
    globs: '-g --glob --iglob',
    anyArgument: true,
  },
  node: { ...VERSION, options: '-v' },
  python: { ...VERSION, options: '-V' },
  python3: { ...VERSION, options: '-V' },
  perl: { ...VERSION, options: '-v' },
  ruby: { ...VERSION, options: '-v' },
  bash: VERSION,
  gcc: VERSION,
  'g++': VERSION,
  cc: VERSION,
  clang: VERSION,
  make: VERSION,
  cmake: VERSION,
  docker: VERSION,
  curl: { ...VERSION, options: '-V' },
  tar: VERSION,
  vim: VERSION,
  java: VERSION,
};

/** Tests of `find` that take a text. */
export const FIND_VALUES = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin'
    .concat(
      ' -ctime -cmin -perm -user -group -uid -gid -links -inum -maxdepth -mindepth -fstype -printf -newermt',
    )
    .split(' '),
);
/** Tests and actions of `find` that only print. */
export const FIND_FLAGS = new Set(
  '-empty -executable -readable -writable -print -print0 -ls -prune -quit -a -and -o -or -not ! ( ) , -depth -d -daystart'
    .concat(' -mount -xdev -noleaf -true -false -nouser -nogroup -follow')
    .split(' '),
);

/** Whether a word of `find` is a test or an action that only reads. */
export function isFindTest(word: string): boolean {
  return FIND_VALUES.has(word) || FIND_FLAGS.has(word) || /^-(?:[HLP]|newer|samefile)$/.test(word);
}
