import type {
  EntryMessage,
  PermissionRequest,
  Prompt,
  Session,
  SessionState,
  SessionViewer,
  SnapshotMessage,
  StreamMessage,
} from '@signalbox/protocol/hub';
import { type AgentFacts, factsAfter, NO_FACTS } from './agent-facts.ts';
import type { ItemGroup } from './item.ts';
import { RecordWindow } from './record-window.ts';
import type { SlashCommand } from './slash-commands.ts';

/** A session at one moment, as it is shown. */
export interface SessionScreen {
  session: Session;
  activity: SessionState;
  /** The rows of the transcript. */
  groups: readonly ItemGroup[];
  /** What the agent asks, oldest first. */
  asks: readonly PermissionRequest[];
  /** What waits for the agent. */
  prompts: readonly Prompt[];
  /** What can be called with a slash, as far as the record says. */
  commands: readonly SlashCommand[];
  /** What the agent has told of its model. */
  facts: AgentFacts;
  /** Who watches, this browser included. */
  viewers: readonly SessionViewer[];
  /** The oldest entry that is here. */
  first: number;
  /** The entry after the newest one that is here, and the one that the hub tells next. */
  end: number;
  next: number;
  /** Whether the record begins before it. */
  hasEarlier: boolean;
  /** The number of the last entry that the hub keeps no longer; 0 when there is none. */
  trimmed: number;
  /** When this was seen, as long as it is what the browser kept; undefined once the hub has told how it is now. */
  keptAt: number | undefined;
  /** Whether the record goes on after what is here: there was no room for both. */
  hasLater: boolean;
}

/** Where a page stands in a record. What was read for one that was reset meanwhile belongs to another. */
export interface RecordPlace {
  first: number;
  end: number;
  next: number;
  record: object;
}

/** What the hub tells as it is; the rest is made of the record. */
type Told = Pick<
  SessionScreen,
  'session' | 'activity' | 'asks' | 'prompts' | 'viewers' | 'trimmed' | 'keptAt'
>;

/** The end of a record as a browser kept it. */
export interface KeptTail {
  session: Session;
  entries: readonly EntryMessage[];
  trimmed: number;
  usedAt: number;
}

/** What a hub tells about a session, put together: no entry twice, nothing half-written beside its whole. */
export class SessionModel {
  #record = new RecordWindow(0);
  #screen: Told | undefined;
  /** Of the newest entries, wherever the reader is. */
  #facts = NO_FACTS;

  get screen(): SessionScreen | undefined {
    if (!this.#screen) return undefined;
    const { prompts, trimmed } = this.#screen;
    const { groups, commands, first, end, next, hasLater } = this.#record;
    return {
      ...this.#screen,
      prompts: prompts.filter(({ id }) => !this.#record.hasPrompt(id)),
      groups,
      commands,
      facts: this.#facts,
      first,
      end,
      next,
      hasEarlier: first > trimmed + 1,
      hasLater,
    };
  }

  /** Where the window on the record begins and ends, and which entry the hub tells next. */
  get place(): RecordPlace {
    const record = this.#record;
    const { first, end, next } = record;
    return { first, end, next, record };
  }

  /** The entries that are here, if they are the last of the record; none otherwise. */
  get tail(): readonly EntryMessage[] {
    return this.#record.hasLater ? [] : this.#record.entries;
  }

  get isReading(): boolean {
    return this.#record.isReading;
  }

  /** Whether the reader is further up: what they read must not go to make room for what comes. */
  set isReading(isReading: boolean) {
    this.#record.isReading = isReading;
  }

  /** Begin with what a browser kept. Nothing in it can be answered: what the agent asks now is known to the hub alone. */
  restore({ session, entries, trimmed, usedAt }: KeptTail): void {
    if (this.#screen) return;
    this.#record.append(entries);
    this.#facts = entries.reduce(factsAfter, NO_FACTS);
    const { state: activity } = session;
    this.#screen = { session, activity, asks: [], prompts: [], viewers: [], trimmed, keptAt: usedAt };
  }

  hear(message: StreamMessage): void {
    switch (message.type) {
      case 'snapshot':
        return this.#begin(message);
      case 'reset':
        return this.#forget();
      case 'sdk-message':
        // The end of a record that has gone far on: what is between here and there was not asked for.
        if (message.seq > this.#record.next) this.#forget(message.seq);
        if (message.seq >= this.#record.next) this.#facts = factsAfter(this.#facts, message);
        return this.#record.hear(message);
      case 'preview':
        return this.#record.preview(message.message);
      case 'activity':
        return this.#learn({ activity: message.state });
      case 'presence':
        return this.#learn({ viewers: viewersAfter(this.#screen?.viewers ?? [], message) });
      case 'session':
        return this.#learn({ session: message.session });
      case 'permission': {
        const { permission } = message;
        const asks = (this.#screen?.asks ?? []).filter(({ requestId }) => requestId !== permission.requestId);
        return this.#learn({ asks: permission.state === 'open' ? [...asks, permission] : asks });
      }
      case 'prompt':
        return this.#learn({ prompts: withPrompt(this.#screen?.prompts ?? [], message.prompt) });
      default:
    }
  }

  /** Put an earlier part of the record in front. */
  prepend(entries: readonly EntryMessage[], { record }: Pick<RecordPlace, 'record'> = this.place): void {
    if (record === this.#record) this.#record.prepend(entries);
  }

  /** Put the part of the record behind it that follows. */
  append(entries: readonly EntryMessage[], { record }: Pick<RecordPlace, 'record'> = this.place): void {
    if (record === this.#record) this.#record.append(entries);
  }

  /** Let go of what is here for another part of the record. */
  moveTo(entries: readonly EntryMessage[], { record }: Pick<RecordPlace, 'record'> = this.place): void {
    if (record === this.#record) this.#record.moveTo(entries);
  }

  #begin(snapshot: SnapshotMessage): void {
    const { session, activity, permissions, prompts, viewers, first, trimmed = 0 } = snapshot;
    // Where the hub does not go on from what is here, it says so by a reset: nothing else makes a page forget.
    if (this.#record.isEmpty && first > this.#record.next) this.#forget(first);
    this.#record.forgetPreviews();
    this.#screen = { session, activity, asks: permissions, prompts, viewers, trimmed, keptAt: undefined };
  }

  #forget(next = 0): void {
    const { isReading } = this.#record;
    this.#facts = NO_FACTS;
    this.#record = new RecordWindow(next);
    this.#record.isReading = isReading;
  }

  #learn(news: Partial<Told>): void {
    if (this.#screen) this.#screen = { ...this.#screen, ...news };
  }
}

function withPrompt(prompts: readonly Prompt[], prompt: Prompt): Prompt[] {
  const isPending = prompt.state === 'waiting' || prompt.state === 'taken';
  const others = prompts.filter(({ id }) => id !== prompt.id);
  // One that was moved is told alone: its place is where it stands now.
  return isPending ? [...others, prompt].toSorted((one, other) => one.place - other.place) : others;
}

/** Who watches after some have come and gone. */
function viewersAfter(
  viewers: readonly SessionViewer[],
  { joined, left }: Extract<StreamMessage, { type: 'presence' }>,
): SessionViewer[] {
  const moved = new Set([...joined, ...left].map(({ deviceId }) => deviceId));
  return [...viewers.filter(({ deviceId }) => !moved.has(deviceId)), ...joined];
}
