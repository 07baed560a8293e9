import { describe, expect, it } from 'vitest';
import { onlyPrintsAwk } from '../../src/permission/shell/awk-program.ts';
import { onlyFiltersJq, onlyPrintsSed } from '../../src/permission/shell/reading-scripts.ts';

describe('scripts of programs that only read', () => {
  it.each([
    'p',
    '1p',
    '$p',
    '1,5p',
    '1,+3p',
    '0~4p',
    '/a/p',
    '/a/,/b/p',
    '/a\\/b/p',
    '/a/I!p',
    's/a/b/',
    's/a/b/gp',
    's|/usr|/opt|',
    's#a#b#2',
    's/\\(a\\)/[\\1]/g',
    's/[0-9]*//',
    'y/abc/xyz/',
    '1d;$d',
    '/a/{p;q}',
    '10q',
    'n;d',
    'p;p\np',
    '=',
  ])('[PR601] of sed print: %j', (script) => {
    expect(onlyPrintsSed(script)).toBe(true);
  });

  it.each([
    'w out',
    'p;w out',
    '1w out',
    '/a/w out',
    '{w out\n}',
    's/a/b/w out',
    's/a/b/gw out',
    's/a/touch x/e',
    's/a/b/ge',
    'e touch x',
    '1e touch x',
    '1!e touch x',
    'e',
    'r /etc/passwd',
    'R /etc/passwd',
    'W out',
    'a text',
    'i\\',
    'c text',
    ':a;ba',
    'F',
    's/[/]/w x',
    's/a[/]b/c/w x',
    's,a,b,;w x',
    's/a/b/;e',
    '\\,a,w x',
    's\na\nb\nw x',
    's/a/b/}w x',
    'x'.repeat(3_000),
  ])('[PR601] of sed may do more: %j', (script) => {
    expect(onlyPrintsSed(script)).toBe(false);
  });

  it.each([
    '1',
    '{print}',
    '{print $1}',
    '{ print $1, $NF }',
    'NR==1',
    'NR > 1 { print }',
    'NR >= 2 && NR <= 4',
    '/a/ || /b/',
    '$3 > 5',
    'BEGIN { FS = ":" } { print $1 }',
    '{ s += $1 } END { print s }',
    '{ printf "%s\\n", $1 }',
    '!seen[$0]++',
    'length($0) > 80',
  ])('[PR601] of awk print: %j', (program) => {
    expect(onlyPrintsAwk(program)).toBe(true);
  });

  it.each([
    '{ print > "out" }',
    '{ print >> "out" }',
    '{ print>"out" }',
    '{ printf "x" > $1 }',
    'NR > 1 { print > "out" }',
    '$1 > 2 { print "}" > "out" }',
    '{ print | "sh" }',
    '{ print |& "sh" }',
    '{ "date" | getline x }',
    'BEGIN { while ((getline l < "/etc/passwd") > 0) print l }',
    'BEGIN { system("touch x") }',
    'BEGIN { system ("touch x") }',
    'BEGIN { print ENVIRON["TOKEN"] }',
    'BEGIN { print PROCINFO["pid"] }',
    'BEGIN { ARGV[1] = "/etc/passwd"; ARGC = 2 }',
    '@include "x"',
    '@load "filefuncs"',
    'function f() { system("x") }',
    'BEGIN { f = "sys" "tem"; @f("x") }',
    'BEGIN { print SYMTAB["x"] }',
    `{ print }${' '.repeat(2_000)}`,
  ])('[PR601] of awk may do more: %j', (program) => {
    expect(onlyPrintsAwk(program)).toBe(false);
  });

  it.each([
    '.',
    '.env',
    '.scripts.env',
    '.a | keys',
    '.[] | select(.name == "x")',
    'map(.a) | add',
    'to_entries[] | "\\(.key)=\\(.value)"',
    '.environment',
    '$x',
  ])('[PR601] of jq stay with their input: %j', (filter) => {
    expect(onlyFiltersJq(filter)).toBe(true);
  });

  it.each([
    'env',
    'env.TOKEN',
    '. | env',
    '[env]',
    '$ENV',
    '$ENV.TOKEN',
    '..env',
    'import "a" as a; .',
    'include "a"; .',
    'input_filename',
    '"a" | halt_error',
    '$__prog_args',
    '"\\(env)"',
    '. as $x | env',
  ])('[PR601] of jq reach elsewhere: %j', (filter) => {
    expect(onlyFiltersJq(filter)).toBe(false);
  });
});
