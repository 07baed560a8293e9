import { sameJson } from '@signalbox/protocol';
import type { CallItem, Item, ItemGroup, TurnDifference } from './item.ts';
import { type LiveReplies, MAIN_THREAD } from './live-replies.ts';

/** How many entries of the record make a group. */
const GROUP_SPAN = 50;

/** Sub-agents of sub-agents up to here have threads of their own; what is deeper is shown in the last one. */
const MAX_DEPTH = 10;

/** Where a call is: in its parent's children, or in a group of the session's own thread. */
type Place =
  | { in: 'call'; parent: string; index: number; depth: number }
  | { in: 'group'; group: number; index: number };

/**
 * The rows of a transcript, each in its thread: the session's own, or that of the call which started a sub-agent. Groups
 * are never changed, and begin at fixed numbers of the record, so that what has not changed need not be drawn again.
 */
export class ItemTree {
  readonly #groups: ItemGroup[] = [];
  readonly #places = new Map<string, Place>();
  /** The ends of turns, by their keys. */
  readonly #turnEnds = new Map<string, Place>();
  /** Calls that have no end yet. */
  readonly #unfinished = new Set<string>();

  /** All rows, with what is being written at the end of each thread. */
  with(live: LiveReplies): readonly ItemGroup[] {
    const groups = [...this.#groups];
    for (const thread of live.threads) {
      const at = this.#groupOf(thread);
      const group = at === undefined ? undefined : groups[at];
      if (at !== undefined && group)
        groups[at] = { ...group, items: group.items.map((item) => withLive(item, live)) };
    }
    const writing = live.items(MAIN_THREAD);
    if (writing.length === 0) return groups;
    const last = groups.pop() ?? { key: 'live', items: [] };
    return [...groups, { ...last, items: [...last.items, ...writing] }];
  }

  /** Put items at the end of a thread; `seq` is the entry that they come from. */
  append(thread: string, items: readonly Item[], seq: number): void {
    if (items.length === 0) return;
    // The call that a sub-agent works for may be further up than what was read.
    const parent = this.#call(this.#threadFor(thread));
    const placeAt = parent ? this.#under(parent, items) : this.#atEnd(items, seq);
    for (const [at, item] of items.entries()) {
      if (item.kind === 'turn-end') this.#turnEnds.set(item.key, placeAt(at));
      if (item.kind !== 'call') continue;
      this.#places.set(item.id, placeAt(at));
      this.#unfinished.add(item.id);
    }
  }

  /** Put another item in the place of a call, if it is here. */
  change(id: string, change: (call: CallItem) => CallItem): void {
    const place = this.#places.get(id);
    const call = this.#call(id);
    if (!place || !call) return;
    const changed = change(call);
    if (changed === call) return;
    if (changed.result) this.#unfinished.delete(id);
    const { index } = place;
    if (place.in === 'call') {
      this.change(place.parent, (parent) => ({ ...parent, children: parent.children.with(index, changed) }));
      return;
    }
    const group = this.#groups[place.group];
    if (group) this.#groups[place.group] = { ...group, items: group.items.with(index, changed) };
  }

  /** Say at the end of a turn what it changed, if that end is here. */
  noteChanges(key: string, changes: TurnDifference): void {
    const place = this.#turnEnds.get(key);
    const group = place?.in === 'group' ? this.#groups[place.group] : undefined;
    const item = group?.items[place?.index ?? -1];
    if (place?.in !== 'group' || !group || item?.kind !== 'turn-end') return;
    this.#groups[place.group] = { ...group, items: group.items.with(place.index, { ...item, changes }) };
  }

  /** What has no end yet will not get one. */
  stopAll(state: 'interrupted' | 'stopped'): void {
    for (const id of this.#unfinished)
      this.change(id, (call) => (call.state === 'denied' ? call : { ...call, state }));
    this.#unfinished.clear();
  }

  /** Take the groups of a tree of fewer entries where nothing has changed. */
  reuse(other: ItemTree): void {
    const known = new Map(other.#groups.map((group) => [group.key, group]));
    for (const [index, group] of this.#groups.entries()) {
      const old = known.get(group.key);
      if (old && sameJson(old, group)) this.#groups[index] = old;
    }
  }

  /** The thread that stands for one which is nested too deeply. */
  #threadFor(thread: string): string {
    const place = this.#places.get(thread);
    return place?.in === 'call' && place.depth >= MAX_DEPTH ? place.parent : thread;
  }

  #under(parent: CallItem, items: readonly Item[]): (at: number) => Place {
    const { id, children } = parent;
    const place = this.#places.get(id);
    const depth = place?.in === 'call' ? place.depth + 1 : 1;
    this.change(id, (call) => ({ ...call, children: [...call.children, ...items] }));
    return (at) => ({ in: 'call', parent: id, index: children.length + at, depth });
  }

  #atEnd(items: readonly Item[], seq: number): (at: number) => Place {
    const key = `group-${Math.floor(seq / GROUP_SPAN)}`;
    const last = this.#groups.at(-1);
    const before = last?.key === key ? last.items : [];
    const group = last?.key === key ? this.#groups.length - 1 : this.#groups.length;
    this.#groups[group] = { key, items: [...before, ...items] };
    return (at) => ({ in: 'group', group, index: before.length + at });
  }

  #call(id: string): CallItem | undefined {
    const place = this.#places.get(id);
    if (!place) return undefined;
    const siblings =
      place.in === 'group' ? this.#groups[place.group]?.items : this.#call(place.parent)?.children;
    const item = siblings?.[place.index];
    return item?.kind === 'call' ? item : undefined;
  }

  #groupOf(call: string): number | undefined {
    const place = this.#places.get(call);
    return place?.in === 'call' ? this.#groupOf(place.parent) : place?.group;
  }
}

function withLive(item: Item, live: LiveReplies): Item {
  if (item.kind !== 'call' || item.result) return item;
  const children = item.children.map((child) => withLive(child, live));
  return { ...item, children: [...children, ...live.items(item.id)] };
}
