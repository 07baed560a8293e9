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
import type { SlashCommand } from './slash-commands.ts';
import { Transcript } from './transcript.ts';

/** How much of a record a page keeps; the oldest go first, and are read again by nobody but the API. */
export const MAX_KEPT_ENTRIES = 10_000;

/** How much goes at once: everything is folded anew then. */
const ENTRIES_TO_DROP = 2000;

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
  /** Whether the record begins before it, and there is room for that. */
  hasEarlier: boolean;
}

/** What the hub tells as it is; the rest is made of the record. */
type Told = Pick<SessionScreen, 'session' | 'activity' | 'asks' | 'prompts' | 'viewers'>;

/** What a hub tells about a session, put together: no entry twice, nothing half-written beside its whole. */
export class SessionModel {
  #transcript = new Transcript();
  #entries: EntryMessage[] = [];
  #epoch = '';
  #next = 0;
  #screen: Told | undefined;

  get screen(): SessionScreen | undefined {
    if (!this.#screen) return undefined;
    const { prompts } = this.#screen;
    const first = this.first;
    return {
      ...this.#screen,
      prompts: prompts.filter(({ id }) => !this.#transcript.hasPrompt(id)),
      groups: this.#transcript.groups,
      commands: this.#transcript.commands,
      first,
      hasEarlier: first > 1 && this.#entries.length < MAX_KEPT_ENTRIES,
    };
  }

  get first(): number {
    return this.#entries[0]?.seq ?? this.#next;
  }

  hear(message: StreamMessage): void {
    switch (message.type) {
      case 'snapshot':
        return this.#begin(message);
      case 'reset':
        return this.#forget();
      case 'sdk-message':
        return this.#add(message);
      case 'preview':
        return this.#transcript.preview(message.message);
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
    const earlier = entries.filter(({ seq, epoch }) => seq < this.first && epoch === this.#epoch);
    this.#fold([...earlier, ...this.#entries]);
  }

  #begin({ session, activity, permissions, prompts, viewers, epoch, first }: SnapshotMessage): void {
    const goesOn = epoch === this.#epoch && first <= this.#next;
    if (!goesOn) this.#forget();
    this.#epoch = epoch;
    if (!goesOn) this.#next = first;
    this.#transcript.forgetPreviews();
    this.#screen = { session, activity, asks: permissions, prompts, viewers };
  }

  #forget(): void {
    this.#entries = [];
    this.#transcript = new Transcript();
    this.#next = 0;
    this.#epoch = '';
  }

  #add(entry: EntryMessage): void {
    if (entry.seq < this.#next) return;
    this.#next = entry.seq + 1;
    this.#entries.push(entry);
    this.#transcript.add(entry);
    if (this.#entries.length > MAX_KEPT_ENTRIES) this.#fold(this.#entries.slice(ENTRIES_TO_DROP));
  }

  #fold(entries: EntryMessage[]): void {
    const transcript = new Transcript();
    for (const entry of entries) transcript.add(entry);
    transcript.goOnFrom(this.#transcript);
    this.#entries = entries;
    this.#transcript = transcript;
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
