import { type Launch, NO_FACTS, SessionExistsError, SessionNotFoundError } from '@signalbox/hub/store';
import type { Page, PageRequest, Session, SessionFacts, SessionState } from '@signalbox/protocol/hub';
import { pageOf } from './page.ts';
import { inOrder, type Tables } from './tables.ts';

/** Sessions, and how they were launched. */
export class MemorySessions {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  create(id: string, facts: Partial<SessionFacts> = {}): Session {
    return this.#add(id, { ...NO_FACTS, ...facts }, false);
  }

  beginImport(id: string, trimmed = 0): void {
    this.#add(id, NO_FACTS, true);
    this.#tables.change(id, { trimmed });
  }

  endImport(id: string, facts: Partial<SessionFacts>): Session {
    this.#tables.change(id, { isImporting: false });
    return this.update(id, facts);
  }

  get(id: string): Session | undefined {
    const row = this.#tables.sessions.get(id)?.value;
    return row?.isImporting ? undefined : row?.session;
  }

  list({ states, ...request }: PageRequest & { states?: readonly SessionState[] } = {}): Page<Session> {
    const rows = inOrder(this.#tables.sessions).flatMap(({ number, value: { session, isImporting } }) =>
      isImporting || (states && !states.includes(session.state)) ? [] : [{ number, value: session }],
    );
    return pageOf(rows, request, 'newest');
  }

  update(id: string, facts: Partial<SessionFacts>, updatedAt = Date.now()): Session {
    const known = this.get(id);
    if (!known) throw new SessionNotFoundError(id);
    const session = { ...known, ...facts, updatedAt };
    this.#tables.change(id, { session, updated: this.#tables.nextPosition() });
    return session;
  }

  remove(id: string): void {
    const { sessions, prompts, permissions, rules, budgets, meters } = this.#tables;
    this.#tables.session(id);
    this.#tables.remove(sessions, id);
    this.#tables.put(this.#tables.removals, this.#tables.nextPosition(), id);
    for (const [key, { value }] of prompts)
      if (value.prompt.session === id) this.#tables.remove(prompts, key);
    for (const [key, { value }] of permissions)
      if (value.session === id) this.#tables.remove(permissions, key);
    for (const [key, { value }] of rules) if (value.session === id) this.#tables.remove(rules, key);
    for (const [key, { value }] of budgets) if (value.session === id) this.#tables.remove(budgets, key);
    this.#tables.remove(meters, id);
    this.#tables.forgetNotices(id);
  }

  keepLaunch(id: string, launch: Launch): void {
    this.#tables.change(id, { launch });
  }

  launch(id: string): Launch | undefined {
    return this.#tables.sessions.get(id)?.value.launch;
  }

  #add(id: string, facts: SessionFacts, isImporting: boolean): Session {
    if (this.#tables.sessions.has(id)) throw new SessionExistsError(id);
    const now = Date.now();
    const session: Session = { id, ...facts, createdAt: now, updatedAt: now };
    const updated = this.#tables.nextPosition();
    const rest = { updated, generation: 0, position: undefined, trimmed: 0, lines: [], launch: undefined };
    this.#tables.put(this.#tables.sessions, id, { session, isImporting, ...rest });
    return session;
  }
}
