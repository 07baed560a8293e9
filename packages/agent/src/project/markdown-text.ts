/** More mentions in one file are no references any more. */
const MAX_MENTIONS = 500;

/** A line of Markdown, and whether it is in a fenced block of code. */
interface MarkdownLine {
  readonly text: string;
  readonly isCode: boolean;
}

/** The lines of a Markdown text. A fence that is not closed goes on to the end. */
function markdownLines(text: string): MarkdownLine[] {
  let fence: string | undefined;
  return text.split('\n').map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== undefined) {
      if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === '') fence = undefined;
      return { text: line, isCode: true };
    }
    // A backtick after the fence makes it a code span: ```like this```.
    if (mark?.[1] !== undefined && !(mark[1].startsWith('`') && mark[2]?.includes('`'))) {
      fence = mark[1];
      return { text: line, isCode: true };
    }
    return { text: line, isCode: false };
  });
}

/** The text without comments that stand on lines of their own, which are notes of people to people. */
export function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text;
  let isComment = false;
  const kept = markdownLines(text).filter(({ text: line, isCode }) => {
    const begins = !isCode && /^ {0,3}<!--/.test(line);
    if (!begins && !isComment) return true;
    isComment = !line.includes('-->');
    return false;
  });
  return kept.map(({ text: line }) => line).join('\n');
}

/** The paths that a text mentions as `@path`, outside of code. A space in a path has a backslash before it. */
export function mentionsIn(text: string): string[] {
  if (!text.includes('@')) return [];
  const prose = markdownLines(text)
    .map(({ text: line, isCode }) => (isCode ? '' : line))
    .join('\n');
  const paths = prose
    .split(/\n\s*\n/)
    .flatMap((paragraph) =>
      Array.from(withoutCodeSpans(paragraph).matchAll(MENTION), (match) => match[1] ?? ''),
    );
  return Array.from(new Set(paths), (path) => path.replaceAll('\\ ', ' ')).slice(0, MAX_MENTIONS);
}

const MENTION = /(?<=^|\s)@((?:\\ |[^\s\\])+)/g;

/** A run of backticks opens a span of code if another run of the same length closes it. */
function withoutCodeSpans(paragraph: string): string {
  const runs = Array.from(paragraph.matchAll(/`+/g), ({ index, 0: run }) => ({ index, length: run.length }));
  const lastOf = new Map(runs.map(({ length, index }) => [length, index]));
  let prose = '';
  let at = 0;
  let open: { index: number; length: number } | undefined;
  for (const run of runs) {
    if (open === undefined) {
      if ((lastOf.get(run.length) ?? 0) > run.index) open = run;
    } else if (run.length === open.length) {
      prose += `${paragraph.slice(at, open.index)}\``;
      at = run.index + run.length;
      open = undefined;
    }
  }
  return prose + paragraph.slice(at);
}
