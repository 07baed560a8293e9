/** An address of sed: a line, the last one, or lines that match. */
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\[^\n])*/[IM]?)`;
const PART = (mark: string): string => String.raw`(?:[^${mark}\\\n]|\\[^\n])*`;
const SUBSTITUTE = ['/', '|', '#', ',', '@', ':', '%', '!', '_']
  .map((mark) => (mark === '|' ? '\\|' : mark))
  .map((mark) => String.raw`s${mark}${PART(mark)}${mark}${PART(mark)}${mark}[gpiIMm0-9]*`)
  .join('|');

/** What may stand before a command. It never fails to match, so that nothing is tried twice: a script cannot make us wait. */
const BEFORE = new RegExp(String.raw`[\s;]*(?:${ADDRESS}(?:\s*,\s*(?:${ADDRESS}|[+~]\d+))?\s*!?\s*)?`, 'y');
/** A command that only prints, with its end. */
const COMMAND = new RegExp(
  String.raw`[{}]|(?:[pPdDgGhHxnN=]|[lqQ][ \t]*\d*|y/${PART('/')}/${PART('/')}/|${SUBSTITUTE})[ \t]*(?=[;\n}]|$)`,
  'y',
);

/** Longer programs are not looked at. */
const MAX_SCRIPT_LENGTH = 2_000;

/** Whether a script of sed only prints: no `w`, `e`, `r`, `F`, labels or texts, and no flag of `s` that writes or runs. */
export function onlyPrintsSed(script: string): boolean {
  if (script.length > MAX_SCRIPT_LENGTH) return false;
  // Implementations disagree on whether a slash in brackets ends the pattern.
  if (
    /\[[^\]]*[/|#,@:%!_]/.test(script) &&
    /[^a-z0-9\s]w|[^a-z0-9\s]\d*[a-z]*[ewWrR]\b|[;{}\n]\s*[ewWrR]/i.test(script)
  )
    return false;
  for (let at = 0; at < script.length; ) {
    at = endOf(BEFORE, script, at) ?? at;
    if (at === script.length) return true;
    const end = endOf(COMMAND, script, at);
    if (end === undefined) return false;
    at = end;
  }
  return true;
}

/** Where a pattern that begins at a place ends; undefined where it does not fit. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Whether a filter of jq stays with its input: no environment (`$ ENV` and `$#` with it in the next line mean it, too), no modules. */
export function onlyFiltersJq(filter: string): boolean {
  const keys = filter.replace(/(?<!\.)\.env\b/g, '');
  return !/\benv\b|\$\s*(?:#|ENV|__)|\b(?:import|include|modulemeta|get_search_list|input_filename|halt_error)\b/.test(
    keys,
  );
}
