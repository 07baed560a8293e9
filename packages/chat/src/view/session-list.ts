import { counted } from '../cards/result-lines.ts';
import { EMPTY_DRAFT, editDraft } from '../input/draft.ts';
import type { SessionChoice } from '../pick-session.ts';
import type { Key } from '../terminal/key-decoder.ts';
import type { Picture } from '../terminal/screen.ts';
import { cleanText } from '../text/clean-text.ts';
import { bold, dim, type Line, plain } from '../text/line.ts';
import { widthOf } from '../text/text-width.ts';
import { cutLine } from '../text/wrap-line.ts';

const ROWS_PER_SESSION = 2;
const ROWS_AROUND = 4;

/** A list of sessions to choose from, narrowed down by typing. */
export class SessionList {
  readonly #sessions: readonly SessionChoice[];
  readonly #now: number;
  #search = EMPTY_DRAFT;
  #at = 0;

  constructor(sessions: readonly SessionChoice[], now: number) {
    this.#sessions = sessions;
    this.#now = now;
  }

  /** What was chosen, or that nothing was; undefined goes on. */
  onKey(key: Key): { id: string | undefined } | undefined {
    const found = this.#found();
    switch (key.chord) {
      case 'escape':
      case 'ctrl+c':
      case 'ctrl+d':
        return { id: undefined };
      case 'enter': {
        const chosen = found[this.#at];
        return chosen && { id: chosen.id };
      }
      case 'up':
        this.#at = Math.max(0, this.#at - 1);
        return undefined;
      case 'down':
        this.#at = Math.min(found.length - 1, this.#at + 1);
        return undefined;
      default:
        this.#search = editDraft(this.#search, key) ?? this.#search;
        this.#at = 0;
        return undefined;
    }
  }

  picture(columns: number, rows: number): Picture {
    const found = this.#found();
    const shown = Math.max(1, Math.floor((rows - ROWS_AROUND) / ROWS_PER_SESSION));
    const first = Math.max(0, Math.min(this.#at - (shown >> 1), found.length - shown));
    const lines: Line[] = [
      cutLine(
        [bold('Resume which session?'), dim(`  ${this.#at + 1} of ${counted(found.length, 'session')}`)],
        columns,
      ),
      cutLine(
        [bold('❯ ', 'cyan'), plain(this.#search.text), dim(this.#search.text ? '' : 'Type to search')],
        columns,
      ),
      ...found
        .slice(first, first + shown)
        .flatMap((session, index) => this.#sessionLines(session, first + index === this.#at, columns)),
      ...(found.length === 0 ? [[dim('  No session has these words.')]] : []),
      cutLine([dim('  Enter resumes, Esc leaves')], columns),
    ];
    const typed = widthOf(this.#search.text.slice(0, this.#search.cursor));
    return { done: [], live: lines, cursor: { x: Math.min(2 + typed, columns), y: 1 } };
  }

  #sessionLines(session: SessionChoice, isAt: boolean, width: number): Line[] {
    const title = cleanText(session.title).replaceAll('\n', ' ') || '(without words)';
    const facts = [
      agoText(this.#now - session.when.getTime()),
      session.messages === undefined ? '' : counted(session.messages, 'message'),
      session.branch ?? '',
    ];
    return [
      cutLine([isAt ? bold(`❯ ${title}`, 'cyan') : plain(`  ${title}`)], width),
      cutLine([dim(`    ${facts.filter(Boolean).join(' · ')}`)], width),
    ];
  }

  #found(): SessionChoice[] {
    const words = this.#search.text.toLowerCase().split(/\s+/).filter(Boolean);
    return this.#sessions.filter(({ id, title, branch = '' }) => {
      const text = `${title} ${branch} ${id}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
  }
}

/** How long ago something was, in the largest unit that fits. */
export function agoText(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  for (const [unit, size] of units) if (ms >= size) return `${counted(Math.floor(ms / size), unit)} ago`;
  return 'just now';
}
