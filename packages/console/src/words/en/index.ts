import { agents } from './agents.ts';
import { asks } from './asks.ts';
import { audit } from './audit.ts';
import { board } from './board.ts';
import { changes } from './changes.ts';
import { common } from './common.ts';
import { compose } from './compose.ts';
import { details } from './details.ts';
import { devices } from './devices.ts';
import { goBack } from './go-back.ts';
import { loops } from './loops.ts';
import { model } from './model.ts';
import { notices } from './notices.ts';
import { palette } from './palette.ts';
import { parts } from './parts.ts';
import { problems } from './problems.ts';
import { rules } from './rules.ts';
import { search } from './search.ts';
import { sessions } from './sessions.ts';
import { shell } from './shell.ts';
import { spend } from './spend.ts';
import { states } from './states.ts';
import { storage } from './storage.ts';
import { terminal } from './terminal.ts';
import { tools } from './tools.ts';
import { tour } from './tour.ts';
import { transcript } from './transcript.ts';
import { worktrees } from './worktrees.ts';

export const en = {
  agents,
  asks,
  audit,
  board,
  changes,
  common,
  compose,
  details,
  devices,
  goBack,
  loops,
  model,
  notices,
  palette,
  parts,
  problems,
  rules,
  search,
  sessions,
  shell,
  spend,
  states,
  storage,
  terminal,
  tools,
  tour,
  transcript,
  worktrees,
};
