import type { HookEvent, OutboundAgentMessage } from '@signalbox/protocol';
import type { HeardOutput } from './heard-output.ts';

/** How often a host hears what a hook that takes long has printed. */
const PROGRESS_MS = 1000;

/** Hosts hear of these without asking: they run before the first answer, and may take long. */
const ALWAYS_TOLD: ReadonlySet<string> = new Set<HookEvent>(['SessionStart', 'Setup']);

/** What a host is told about a hook, from its start to its end. */
export class HookLife {
  readonly #tell: (
    message:
      | { subtype: 'hook_started' }
      | ({ subtype: 'hook_progress' } & Said)
      | ({ subtype: 'hook_response'; exit_code?: number; outcome: LifeOutcome } & Said),
  ) => Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: {
    event: HookEvent;
    name: string;
    sessionId: string;
    includeEvents: boolean;
    emit: (message: OutboundAgentMessage) => Promise<void>;
  }) {
    const { event, name, sessionId, includeEvents, emit } = parts;
    const about = { hook_id: crypto.randomUUID(), hook_name: name, hook_event: event };
    const isTold = includeEvents || ALWAYS_TOLD.has(event);
    this.#tell = async (message) => {
      if (!isTold) return;
      // A host that is gone must not keep a hook from its work.
      await emit({
        type: 'system',
        ...message,
        ...about,
        uuid: crypto.randomUUID(),
        session_id: sessionId,
      }).catch(() => {});
    };
  }

  async started(): Promise<void> {
    await this.#tell({ subtype: 'hook_started' });
  }

  /** From now on tell what it prints, all of it each time, until it ends. */
  watch(heard: HeardOutput): void {
    let toldChars = 0;
    this.#timer = setInterval(() => {
      if (heard.heardChars === toldChars) return;
      toldChars = heard.heardChars;
      void this.#tell({ subtype: 'hook_progress', ...heard.shown() });
    }, PROGRESS_MS).unref();
  }

  async ended(outcome: LifeOutcome, said: Said, exitCode?: number | null): Promise<void> {
    clearInterval(this.#timer);
    await this.#tell({
      subtype: 'hook_response',
      ...said,
      ...(typeof exitCode === 'number' ? { exit_code: exitCode } : {}),
      outcome,
    });
  }
}

type LifeOutcome = 'success' | 'error' | 'cancelled';

interface Said {
  output: string;
  stdout: string;
  stderr: string;
}
