import type { Host, PermissionAsker } from '../base/host.ts';
import type { AgentOptions } from '../command-line/agent-options.ts';
import type { HookRunner } from '../hooks/hook-runner.ts';
import type { StatusLine } from '../hooks/status-line.ts';
import type { Extensions } from '../loop/extensions.ts';
import type { SessionState } from '../loop/session-core.ts';
import type { ModelClient } from '../model/model-client.ts';
import type { PermissionStore } from '../permission/permission-store.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { PromptLifecycle } from './prompt-lifecycle.ts';
import type { SessionActivity } from './session-activity.ts';

/** What a session is made of. */
export interface SessionParts {
  opened: OpenSession;
  state: SessionState;
  /** A new session in the place of one that is cleared. */
  openAnew: () => Promise<OpenSession>;
  options: AgentOptions;
  env: NodeJS.ProcessEnv;
  cwd: string;
  home: string;
  host: Host;
  model: ModelClient;
  permissions: PermissionStore;
  /** Absent when nobody can be asked for permission. */
  asker: PermissionAsker | undefined;
  hooks: HookRunner;
  /** Absent where no settings ask for one. */
  statusLine?: StatusLine | undefined;
  extensions: Extensions;
  activity: SessionActivity;
  /** Absent where commands are not confined. */
  sandbox?: Sandbox | undefined;
  onProblem: (problem: { message: string }) => void;
  /** Called with what there is to tell the model while no prompt is being answered. */
  onNews: (news: string) => void;
  lifecycle: PromptLifecycle;
  /** How many prompts wait for their turn. */
  queuedPrompts: () => number;
}
