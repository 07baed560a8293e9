import type { JsonObject } from '@signalbox/protocol';
import type {
  AskParent,
  DeliveryState,
  PermissionAnswer,
  PermissionRequest,
  Prompt,
  Session,
  SessionFacts,
} from '@signalbox/protocol/hub';
import type { AuditEntry, Decision } from './audit.ts';
import type { StoredBudget } from './budget.ts';
import type { Admission, Device, DeviceGrant } from './device.ts';
import type { KeptAnswer } from './kept-answer.ts';
import type { Delivery, NewNotice, StoredTarget } from './notice.ts';
import type { PromptEdit } from './prompt.ts';
import type { Append, Appended } from './record.ts';
import type { StoredRule } from './rule.ts';

/** A change of the store beside the record, as plain data. Each does what the method of the same meaning does. */
export type Effect =
  | {
      kind: 'open-permission';
      session: string;
      requestId: string;
      request: JsonObject;
      parent?: AskParent | null;
    }
  | { kind: 'answer-permission'; session: string; requestId: string; answer: PermissionAnswer }
  | { kind: 'close-permission'; session: string; requestId: string; state: 'withdrawn' | 'expired' }
  | { kind: 'edit-prompt'; id: string; change: PromptEdit }
  | { kind: 'cancel-prompt'; id: string }
  | { kind: 'create-session'; session: string; facts?: Partial<SessionFacts> }
  | { kind: 'update-session'; session: string; facts: Partial<SessionFacts>; updatedAt?: number }
  | { kind: 'end-import'; session: string; facts: Partial<SessionFacts> }
  | { kind: 'remove-session'; session: string }
  | { kind: 'add-device'; grant: DeviceGrant; id?: string }
  | { kind: 'revoke-device'; id: string }
  | { kind: 'create-link'; grant: DeviceGrant; lifetimeMs: number; by?: string }
  | { kind: 'keep-answer'; principal: string; key: string; answer: KeptAnswer; lifetimeMs: number }
  | { kind: 'create-rule'; rule: StoredRule }
  | { kind: 'remove-rule'; id: string }
  | { kind: 'keep-budget'; budget: StoredBudget }
  | { kind: 'remove-budget'; id: string }
  | {
      kind: 'add-notice';
      notice: NewNotice;
      deliveries: readonly { target: string; state: DeliveryState; outcome?: string }[];
    }
  | { kind: 'add-notice-target'; target: StoredTarget }
  | { kind: 'remove-notice-target'; id: string }
  | { kind: 'audit'; decision: Decision };

/** What each kind of {@link Effect} results in. */
export interface EffectResults {
  'open-permission': PermissionRequest;
  'answer-permission': { request: PermissionRequest; isFirst: boolean };
  'close-permission': PermissionRequest;
  'edit-prompt': Prompt;
  'cancel-prompt': Prompt;
  'create-session': Session;
  'update-session': Session;
  'end-import': Session;
  'remove-session': undefined;
  'add-device': Admission;
  'revoke-device': Device;
  'create-link': string;
  'keep-answer': KeptAnswer;
  'create-rule': StoredRule;
  'remove-rule': StoredRule;
  'keep-budget': StoredBudget;
  'remove-budget': StoredBudget;
  'add-notice': Delivery[];
  'add-notice-target': StoredTarget;
  'remove-notice-target': StoredTarget;
  audit: AuditEntry;
}

/** The results of a list of effects, in their order. */
export type ResultsOf<Effects extends readonly Effect[]> = {
  -readonly [Index in keyof Effects]: EffectResults[Effects[Index]['kind']];
};

/** Lines and effects that are stored together: all of them, or none. Effects come first, in their order. */
export interface Commit<Effects extends readonly Effect[] = readonly Effect[]> {
  appends?: readonly Append[];
  effects?: Effects;
  /**
   * The generation of the owner of the sessions that are appended to or named by an effect. The store refuses it with
   * `STORE_SESSION_LOST` once it has seen a later one for any of them. Left out, it is not checked.
   */
  generation?: number;
}

/** What became of a {@link Commit}. */
export interface Committed<Effects extends readonly Effect[] = readonly Effect[]> {
  appended: Appended[];
  results: ResultsOf<Effects>;
}

interface NamedSessions {
  appends?: readonly Pick<Append, 'session'>[];
  effects?: readonly Effect[];
}

/** Whether lines are to be stored: those that tell of an answer only when this commit has given it. */
export function isToAppend(
  { session, answers }: Pick<Append, 'session' | 'answers'>,
  effects: readonly Effect[],
  results: readonly unknown[],
): boolean {
  if (answers === undefined) return true;
  return effects.some(
    (effect, at) =>
      effect.kind === 'answer-permission' &&
      effect.session === session &&
      effect.requestId === answers &&
      isFirst(results[at]),
  );
}

function isFirst(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'isFirst' in result && result.isFirst === true;
}

/** The sessions that a commit is about, which must be its owner's. */
export function sessionsOf({ appends = [], effects = [] }: NamedSessions): Set<string> {
  const sessions = new Set(appends.map(({ session }) => session));
  for (const effect of effects)
    if ('session' in effect && effect.kind !== 'create-session') sessions.add(effect.session);
  return sessions;
}
