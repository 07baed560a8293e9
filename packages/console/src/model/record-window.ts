import type { EntryMessage } from '@signalbox/protocol/hub';
import type { ItemGroup } from './item.ts';
import type { SlashCommand } from './slash-commands.ts';
import { Transcript } from './transcript.ts';

/** How much of a record a page keeps; what is farthest from its reader goes, and is read again when they come back to it. */
export const MAX_KEPT_ENTRIES = 3000;

/** How much goes at once: everything is folded anew then. */
const ENTRIES_TO_DROP = 600;

/** The part of a session's record that a page holds, as rows. It moves with its reader, and is open to what comes at its end. */
export class RecordWindow {
  /** A reader who is further up keeps what they read: what comes waits in the record when there is no more room. */
  isReading = false;
  #transcript = new Transcript();
  #entries: EntryMessage[] = [];
  /** The entry that the hub tells next. */
  #next: number;

  constructor(next: number) {
    this.#next = next;
  }

  get next(): number {
    return this.#next;
  }

  /** Whether no entry is here. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** The oldest entry that is here. */
  get first(): number {
    return this.#entries[0]?.seq ?? this.#next;
  }

  /** The entry that follows the newest one here. */
  get end(): number {
    const last = this.#entries.at(-1)?.seq;
    return last === undefined ? this.#next : last + 1;
  }

  /** Whether the record goes on after what is here. */
  get hasLater(): boolean {
    return this.end < this.#next;
  }

  get entries(): readonly EntryMessage[] {
    return this.#entries;
  }

  get groups(): readonly ItemGroup[] {
    return this.#transcript.groups;
  }

  get commands(): readonly SlashCommand[] {
    return this.#transcript.commands;
  }

  hasPrompt(id: string): boolean {
    return this.#transcript.hasPrompt(id);
  }

  /** Take what the hub tells as it happens. */
  hear(entry: EntryMessage): void {
    if (entry.seq < this.#next) return;
    const isFull = this.isReading && this.#entries.length >= MAX_KEPT_ENTRIES;
    if (!this.hasLater && !isFull) return this.#add([entry]);
    this.#next = entry.seq + 1;
    this.#transcript.forgetPreviews();
  }

  /** Take a part of a reply that is being written: its place is after all that was said. */
  preview(message: unknown): void {
    if (!this.hasLater) this.#transcript.preview(message);
  }

  forgetPreviews(): void {
    this.#transcript.forgetPreviews();
  }

  /** Put an earlier part of the record in front. */
  prepend(entries: readonly EntryMessage[]): void {
    const all = [...entries.filter(({ seq }) => seq < this.first), ...this.#entries];
    this.#fold(all.length > MAX_KEPT_ENTRIES ? all.slice(0, MAX_KEPT_ENTRIES - ENTRIES_TO_DROP) : all);
  }

  /** Put the part of the record behind it that follows. */
  append(entries: readonly EntryMessage[]): void {
    this.#add(entries.filter(({ seq }) => seq >= this.end));
  }

  /** Hold this part of the record instead. */
  moveTo(entries: readonly EntryMessage[]): void {
    // A record that has nothing there is another one, or is about to be: a reset says so.
    if (entries.length === 0) return;
    this.#fold([...entries]);
    this.#next = Math.max(this.#next, this.end);
  }

  #add(entries: readonly EntryMessage[]): void {
    for (const entry of entries) {
      this.#transcript.add(entry);
      this.#entries.push(entry);
    }
    this.#next = Math.max(this.#next, this.end);
    if (this.#entries.length > MAX_KEPT_ENTRIES) this.#fold(this.#entries.slice(ENTRIES_TO_DROP));
  }

  #fold(entries: EntryMessage[]): void {
    const transcript = new Transcript();
    for (const entry of entries) transcript.add(entry);
    transcript.goOnFrom(this.#transcript);
    this.#entries = entries;
    this.#transcript = transcript;
    if (this.hasLater) transcript.forgetPreviews();
  }
}
