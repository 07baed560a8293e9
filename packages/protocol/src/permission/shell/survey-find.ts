import { surveyWithFound } from './found-files.ts';
import { listedNames, type PathRead, readsOf, type Survey, single } from './reading-options.ts';
import { FIND_FLAGS, FIND_VALUES } from './reading-programs.ts';
import type { WordValues } from './word-values.ts';

/** `find` with tests, and with programs that only read: what is not known may write (`-fprint`), delete or run another one. */
export function surveyFind(
  args: readonly WordValues[],
  survey: (words: readonly WordValues[]) => Survey,
): Survey {
  const isExpression = (arg: WordValues): boolean => /^(?:-.|[(!,]$)/s.test(single(arg) ?? '');
  let at = 0;
  while (/^-[HLP]$/.test(single(args[at]) ?? '')) at++;
  const start = at;
  while (at < args.length && !isExpression(args[at] ?? 'any')) at++;
  const folders = readsOf(args.slice(start, at));
  if (!folders || folders.some(({ hazard }) => hazard))
    return { refusal: 'looks into a folder that is only known when it runs' };
  const files: PathRead[] = [];
  const names: PathRead[] = [];
  // Whatever its name is, a link to a folder is followed into it.
  const follows = args.some((arg) => /^-(?:L|follow)$/.test(single(arg) ?? ''));
  const only = follows ? {} : endingsOf(args.slice(at));
  const found = (folders.length > 0 ? folders : [{ path: '.' }]).map((folder) => ({ ...folder, ...only }));
  for (; at < args.length; at++) {
    const word = single(args[at]) ?? '?';
    const value = args[at + 1];
    if (word === '-exec') {
      const end = args.findIndex((arg, after) => after > at && /^[;+]$/.test(single(arg) ?? ''));
      const inner = args.slice(at + 1, end);
      if (end === -1 || !inner.some((arg) => single(arg) === '{}'))
        return { refusal: 'has an -exec that cannot be followed' };
      const read = surveyWithFound(inner, '{}', found, survey);
      if ('refusal' in read) return { refusal: `-exec ${read.refusal}` };
      files.push(...read.reads);
      at = end;
    } else if (word === '-newer' || word === '-samefile')
      files.push(...(readsOf([args[++at] ?? 'any']) ?? [{ path: '/' }]));
    else if (FIND_VALUES.has(word)) {
      // A pattern without quotes becomes the names of files, any of which may be an action.
      if (value === undefined || typeof value === 'string')
        return { refusal: 'has an argument that is only known when it runs' };
      names.push(...listedNames(value).map((name) => ({ ...name, hazard: 'dash' }) as const));
      at++;
    } else if (!FIND_FLAGS.has(word)) return { refusal: `has the action or test ${word}` };
  }
  const below = follows ? ({ below: 'links' } as const) : {};
  return { reads: [...found.map((folder) => ({ ...folder, ...below })), ...files, ...names] };
}

/** `find -name '*.ts'` finds only files whose names end so, unless another action comes before or another test would do. */
function endingsOf(tests: readonly WordValues[]): Pick<PathRead, 'endings'> {
  const words = tests.map((test) => single(test) ?? '-o');
  const at = words.indexOf('-name');
  const pattern = /^\*(\.[\w.-]+)$/.exec(words[at + 1] ?? '')?.[1];
  const before = words.slice(0, at);
  const isRequired =
    at !== -1 &&
    !words.some((word) => /^(?:-o|-or|,|\(|\))$/.test(word)) &&
    !before.some((word) => /^-(?:print0?|ls|exec)$/.test(word)) &&
    !/^(?:!|-not)$/.test(before.at(-1) ?? '');
  return isRequired && pattern !== undefined ? { endings: [pattern] } : {};
}
