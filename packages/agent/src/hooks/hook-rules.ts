import { isJsonObject, type JsonObject } from '@signalbox/protocol';
import { type HookMatcher, hookMatcher } from './hook-matcher.ts';

/** How long a hook may take unless it says otherwise. */
export const DEFAULT_HOOK_TIMEOUT_MS = 60_000;

/** A timer that is set for longer goes off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

interface Rule {
  readonly event: string;
  readonly matcher: HookMatcher;
  readonly matcherText: string;
  /** The settings file it comes from, or the host. */
  readonly source: string;
  readonly timeoutMs: number;
}

/** A command of the settings that runs at an event. */
export interface CommandRule extends Rule {
  readonly kind: 'command';
  readonly command: string;
  readonly isAsync: boolean;
}

/** A function of the host that is called at an event. */
export interface CallbackRule extends Rule {
  readonly kind: 'callback';
  readonly callbackId: string;
}

export type HookRule = CommandRule | CallbackRule;

type Tell = (problem: string) => void;

/** What the `hooks` of a settings file ask for. What cannot be used is told and left out; the rest counts. */
export function commandRules(source: string, hooks: unknown, tell: Tell): CommandRule[] {
  return entriesOf(source, hooks, tell).flatMap(({ place, entry, ...about }) =>
    listOf(entry.hooks, `${place}.hooks`, tell).flatMap((hook, at): CommandRule[] => {
      const where = `${place}.hooks[${at}]`;
      if (!isJsonObject(hook)) return none(tell, where, 'is not an object');
      if (hook.type !== 'command') {
        return none(tell, where, `has the type "${String(hook.type)}", and only "command" is supported`);
      }
      if (typeof hook.command !== 'string' || hook.command.trim() === '') {
        return none(tell, where, 'has no command');
      }
      // Run too often, a guard is a nuisance; run too rarely, it is none.
      if (hook.if !== undefined)
        tell(`${where}.if is not supported; the hook runs whenever its matcher fits.`);
      const timeoutMs = timeoutOf(hook.timeout, where, tell);
      return [{ ...about, kind: 'command', command: hook.command, isAsync: hook.async === true, timeoutMs }];
    }),
  );
}

/** What the `hooks` of an `initialize` request ask for. */
export function callbackRules(source: string, hooks: unknown, tell: Tell): CallbackRule[] {
  return entriesOf(source, hooks, tell).flatMap(({ place, entry, ...about }) => {
    const timeoutMs = timeoutOf(entry.timeout, place, tell);
    return listOf(entry.hookCallbackIds, `${place}.hookCallbackIds`, tell).flatMap(
      (callbackId, at): CallbackRule[] =>
        typeof callbackId === 'string'
          ? [{ ...about, kind: 'callback', callbackId, timeoutMs }]
          : none(tell, `${place}.hookCallbackIds[${at}]`, 'is not a text'),
    );
  });
}

interface Entry extends Pick<Rule, 'event' | 'matcher' | 'matcherText' | 'source'> {
  readonly entry: JsonObject;
  readonly place: string;
}

/** The matchers of all events, each with what belongs to it. Events of newer versions are kept: nothing fires them. */
function entriesOf(source: string, hooks: unknown, tell: Tell): Entry[] {
  if (hooks === undefined || hooks === null) return [];
  if (!isJsonObject(hooks)) return none(tell, `${source}: hooks`, 'is not an object');
  return Object.entries(hooks).flatMap(([event, list]) =>
    listOf(list, `${source}: hooks.${event}`, tell).flatMap((entry, at): Entry[] => {
      const place = `${source}: hooks.${event}[${at}]`;
      if (!isJsonObject(entry)) return none(tell, place, 'is not an object');
      const text = entry.matcher ?? '';
      if (typeof text !== 'string') return none(tell, `${place}.matcher`, 'is not a text');
      const matcher = hookMatcher(text);
      if (matcher.problem) tell(`${place}.matcher: ${matcher.problem}.`);
      return [{ event, matcher, matcherText: text, source, entry, place }];
    }),
  );
}

function listOf(value: unknown, place: string, tell: Tell): readonly unknown[] {
  return Array.isArray(value) ? value : none(tell, place, 'is not a list');
}

function timeoutOf(seconds: unknown, place: string, tell: Tell): number {
  if (seconds === undefined || seconds === null) return DEFAULT_HOOK_TIMEOUT_MS;
  if (typeof seconds === 'number' && seconds > 0) return Math.min(seconds * 1000, LONGEST_TIMER_MS);
  tell(`${place}.timeout is not a number of seconds; it is ${DEFAULT_HOOK_TIMEOUT_MS / 1000}.`);
  return DEFAULT_HOOK_TIMEOUT_MS;
}

function none(tell: Tell, place: string, problem: string): never[] {
  tell(`${place} ${problem}; it is ignored.`);
  return [];
}
