import type { ToolCard } from '../cards/tool-card.ts';
import type { Line } from '../text/line.ts';

/** How much a note wants to be seen. */
export type Tone = 'quiet' | 'warning' | 'error';

/** Something that was said or done and will not change: it is drawn once and scrolls away. */
export type Entry =
  | { kind: 'opening'; title: string; cwd: string }
  | { kind: 'prompt'; text: string }
  /** A piece of a reply; only the first piece has its mark. */
  | { kind: 'reply'; text: string; isStart: boolean }
  | { kind: 'thought'; text: string }
  | { kind: 'card'; card: ToolCard }
  | { kind: 'note'; text: string; tone: Tone }
  /** A person interrupted the turn. */
  | { kind: 'stopped' }
  | { kind: 'page'; lines: (width: number) => Line[] };
