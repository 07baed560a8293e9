import { isJsonObject, numberAt, parseJson, textAt } from '@signalbox/protocol';
import type { RecordedLine } from './recorded-lines.ts';

/** A hook that has run in a session. */
export interface SeenHook {
  name: string;
  event: string;
  runs: number;
  failures: number;
  lastTime: number | undefined;
  /** What it wrote last. */
  lastOutput: string;
}

/** The hooks that the lines tell of, those that ran last first. */
export function seenHooks(lines: readonly RecordedLine[]): readonly SeenHook[] {
  const hooks = new Map<string, SeenHook>();
  for (const { kind, text, time } of lines) {
    if (kind !== 'system/hook_response') continue;
    const message: unknown = parseJson(text);
    const [name, event] = [textAt(message, 'hook_name'), textAt(message, 'hook_event')];
    const key = `${event}\n${name}`;
    const known = hooks.get(key) ?? {
      name,
      event,
      runs: 0,
      failures: 0,
      lastTime: undefined,
      lastOutput: '',
    };
    hooks.delete(key);
    const written = [textAt(message, 'stdout') || textAt(message, 'output'), textAt(message, 'stderr')];
    hooks.set(key, {
      ...known,
      runs: known.runs + 1,
      failures: known.failures + Number(textAt(message, 'outcome') === 'error'),
      lastTime: time,
      lastOutput: written
        .map((part) => part.trim())
        .filter(Boolean)
        .join('\n'),
    });
  }
  return [...hooks.values()].toReversed();
}

/** A hook that an agent has. */
export interface KnownHook {
  event: string;
  matcher: string;
  does: string;
  source: string;
  timeoutSeconds: number | undefined;
}

/** What an agent answers when it is asked for its hooks; nothing where it says that in a way of its own. */
export function knownHooks(answer: unknown): readonly KnownHook[] {
  const hooks = isJsonObject(answer) && Array.isArray(answer.hooks) ? answer.hooks : [];
  return hooks.map((hook: unknown) => ({
    event: textAt(hook, 'event'),
    matcher: textAt(hook, 'matcher'),
    does: textAt(hook, 'displayText'),
    source: textAt(hook, 'source'),
    timeoutSeconds: numberAt(hook, 'timeout'),
  }));
}
