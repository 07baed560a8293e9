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
  /** Who watches, this browser included. */
  viewers: readonly SessionViewer[];
  /** The oldest entry that is here. */
  first: number;
  /** Whether the record begins before it. */
  hasEarlier: boolean;
  /** Whether the record goes on after what is here: there was no room for both. */
  hasLater: boolean;
}

/** What the hub tells as it is; the rest is made of the record. */
type Told = Pick<SessionScreen, 'session' | 'activity' | 'asks' | 'prompts' | 'viewers'>;

/** What a hub tells about a session, put together: no entry twice, nothing half-written beside its whole. */
export class SessionModel {
  #record = new RecordWindow(0);
  #epoch = '';
  #screen: Told | undefined;

  get screen(): SessionScreen | undefined {
    if (!this.#screen) return undefined;
    const { prompts } = this.#screen;
    const { groups, commands, first, hasLater } = this.#record;
    return {
      ...this.#screen,
      prompts: prompts.filter(({ id }) => !this.#record.hasPrompt(id)),
      groups,
      commands,
      first,
      hasEarlier: first > 1,
      hasLater,
    };
  }

  /** Where the window on the record begins and ends, and which entry the hub tells next. */
  get place(): { first: number; end: number; next: number } {
    const { first, end, next } = this.#record;
    return { first, end, next };
  }

  /** Whether the reader is further up: what they read must not go to make room for what comes. */
  set isReading(isReading: boolean) {
    this.#record.isReading = isReading;
  }

  hear(message: StreamMessage): void {
    switch (message.type) {
      case 'snapshot':
        return this.#begin(message);
      case 'reset':
        return this.#forget();
      case 'sdk-message':
        return this.#record.hear(message);
      case 'preview':
        return this.#record.preview(message.message);
      case 'activity':
        return this.#learn({ activity: message.state });
      case 'presence':
        return this.#learn({ viewers: message.viewers });
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
  prepend(entries: readonly EntryMessage[]): void {
    this.#record.prepend(this.#ofThisRecord(entries));
  }

  /** Put the part of the record behind it that follows. */
  append(entries: readonly EntryMessage[]): void {
    this.#record.append(this.#ofThisRecord(entries));
  }

  /** Let go of what is here for the end of the record. */
  moveTo(entries: readonly EntryMessage[]): void {
    this.#record.moveTo(this.#ofThisRecord(entries));
  }

  #begin({ session, activity, permissions, prompts, viewers, epoch, first }: SnapshotMessage): void {
    // A hub that was restarted has another epoch; where it does not go on from what is here, it says so by a reset.
    const goesOn = this.#epoch !== '' && first <= this.#record.next;
    if (!goesOn) this.#forget(first);
    this.#epoch = epoch;
    this.#record.forgetPreviews();
    this.#screen = { session, activity, asks: permissions, prompts, viewers };
  }

  #forget(next = 0): void {
    const { isReading } = this.#record;
    this.#record = new RecordWindow(next);
    this.#record.isReading = isReading;
    this.#epoch = '';
  }

  #ofThisRecord(entries: readonly EntryMessage[]): EntryMessage[] {
    return entries.filter(({ epoch }) => epoch === this.#epoch);
  }

  #learn(news: Partial<Told>): void {
    if (this.#screen) this.#screen = { ...this.#screen, ...news };
  }
}

function withPrompt(prompts: readonly Prompt[], prompt: Prompt): Prompt[] {
  const isPending = prompt.state === 'waiting' || prompt.state === 'taken';
  const at = prompts.findIndex(({ id }) => id === prompt.id);
  if (at < 0) return isPending ? [...prompts, prompt] : [...prompts];
  return isPending ? prompts.with(at, prompt) : prompts.toSpliced(at, 1);
}
