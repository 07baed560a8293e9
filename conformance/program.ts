import { fileURLToPath } from 'node:url';

/** The programs a scenario can be played with. */
export type ProgramId = 'ours' | '2.1.37' | '2.1.325' | 'newest';

/** An agent that can be started. */
export interface Program {
  readonly id: ProgramId;
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
}

/** Our agent as it is shipped. */
export const OUR_AGENT = fileURLToPath(new URL('../dist/signalbox-agent.js', import.meta.url));

export const ours: Program = {
  id: 'ours',
  label: 'signalbox-agent',
  command: process.execPath,
  args: [OUR_AGENT],
};
