/** An address of sed: a line, the last one, or lines that match. */
const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\[^\n])*/[IM]?)`;
const RANGE = String.raw`(?:${ADDRESS}(?:\s*,\s*(?:${ADDRESS}|[+~]\d+))?\s*!?\s*)?`;
const PART = (mark: string): string => String.raw`(?:[^${mark}\\\n]|\\[^\n])*`;
const SUBSTITUTE = ['/', '|', '#', ',', '@', ':', '%', '!', '_']
  .map((mark) => (mark === '|' ? '\\|' : mark))
  .map((mark) => String.raw`s${mark}${PART(mark)}${mark}${PART(mark)}${mark}[gpiIMm0-9]*`)
  .join('|');
const COMMAND = String.raw`(?:[pPdDgGhHxnN=]|[lqQ]\s*\d*|y/${PART('/')}/${PART('/')}/|${SUBSTITUTE})`;
const SED_SCRIPT = new RegExp(
  String.raw`^\s*(?:${RANGE}(?:\{\s*|${COMMAND}\s*(?:[;\n}]\s*|$)|\})\s*;?\s*)*$`,
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
  return SED_SCRIPT.test(script);
}

/** Whether a filter of jq stays with its input: no environment (`$ ENV` and `$#` with it in the next line mean it, too), no modules. */
export function onlyFiltersJq(filter: string): boolean {
  const keys = filter.replace(/(?<!\.)\.env\b/g, '');
  return !/\benv\b|\$\s*(?:#|ENV|__)|\b(?:import|include|modulemeta|get_search_list|input_filename|halt_error)\b/.test(
    keys,
  );
}
