import { isPattern, readsOf, type Survey, single } from './reading-options.ts';
import type { WordValues } from './word-values.ts';

const FILE_TESTS = /^-[abcdefghkprstuwxGLNOS]$/;
const TEXT_TESTS = /^-[nz]$/;
const COMPARISONS = /^(?:=|==|!=|<|>|-eq|-ne|-lt|-le|-gt|-ge)$/;
const FILE_COMPARISONS = /^-(?:nt|ot|ef)$/;

/** `test` by the number of its arguments, as POSIX has it; what joins more of them is asked about. */
export function surveyTest(args: readonly WordValues[]): Survey {
  const [first, second, third] = args;
  // The files that a pattern fits may be called `-v` and `x[$(command)]`.
  if (args.some((arg) => arg === 'any' || arg === 'words' || isPattern(arg)))
    return { refusal: 'has an argument that is only known when it runs' };
  if (single(first) === '!') return surveyTest(args.slice(1));
  if (args.length <= 1) return { reads: [] };
  if (args.length === 2) {
    if (TEXT_TESTS.test(single(first) ?? '')) return { reads: [] };
    const reads = FILE_TESTS.test(single(first) ?? '') ? readsOf([second ?? 'any']) : undefined;
    return reads ? { reads } : { refusal: 'has a test that is not known' };
  }
  if (args.length !== 3) return { refusal: 'has more than one test' };
  if (COMPARISONS.test(single(second) ?? '')) return { reads: [] };
  const reads = FILE_COMPARISONS.test(single(second) ?? '')
    ? readsOf([first ?? 'any', third ?? 'any'])
    : undefined;
  return reads ? { reads } : { refusal: 'has a test that is not known' };
}
