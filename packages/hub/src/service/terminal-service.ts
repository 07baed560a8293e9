import { pagesOf, type Terminal, type TerminalSize } from '@signalbox/protocol/hub';
import { ForbiddenError } from '../auth/auth-errors.ts';
import { authorOf, terminalName } from '../auth/identity.ts';
import { FolderNotFoundError } from '../launch/launch-errors.ts';
import { launchFolder } from '../launch/launch-folder.ts';
import type { LiveSessions } from '../sessions/live-sessions.ts';
import { type Device, includesScope } from '../store/device.ts';
import { startTerminal, type TerminalStarter } from '../terminals/start-terminal.ts';
import type { Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** What a {@link TerminalService} works with. */
export interface TerminalServiceParts extends TerminalStarter {
  sessions: LiveSessions;
  decisions: Decisions;
  /** Other nodes have terminals as well, of which nothing is known here. */
  isShared: boolean;
}

/** What people do with terminals. It is a shell: whoever types in it can do all that the hub's owner can. */
export class TerminalService {
  readonly #parts: TerminalServiceParts;

  constructor(parts: TerminalServiceParts) {
    this.#parts = parts;
  }

  async list(by: Device, session: string): Promise<Terminal[]> {
    permitLook(by, session);
    await this.#parts.sessions.known(session);
    return this.#parts.terminals.list(session);
  }

  /** A shell in the folder of a session, on the machine of the hub. */
  async start(by: Device, session: string, size: TerminalSize): Promise<Terminal> {
    permit(by, 'admin', session);
    const { sessions, terminals, decisions } = this.#parts;
    const { folder: named } = await sessions.known(session);
    if (named === null) throw new FolderNotFoundError('', 'The session has not said where it works.');
    // Raises `LAUNCH_ELSEWHERE`: the folder is on another machine.
    await this.#parts.store.launches.get(session);
    const folder = launchFolder(named);
    const number = terminals.take(session);
    await decisions.keep(authorOf(by), { what: 'start terminal', session, subject: String(number) });
    return startTerminal(this.#parts, session, number, { ...size, folder });
  }

  /** End the shell with all that it started, and forget what it wrote. */
  async end(by: Device, session: string, number: number): Promise<Terminal> {
    permit(by, 'admin', session);
    const { terminals, decisions } = this.#parts;
    terminals.get(session, number);
    await decisions.keep(authorOf(by), { what: 'end terminal', session, subject: String(number) });
    const ended = await terminals.end(session, number);
    await this.#revoke(session, (name) => name === terminalName(session, number));
    return ended;
  }

  /** All of a session that is no more. */
  async endAll(by: Device, session: string): Promise<void> {
    permit(by, 'admin', session);
    await this.#parts.terminals.endAll(session);
    await this.#revoke(session, () => true);
  }

  /** Look at a terminal. Raises `TERMINAL_NOT_FOUND`. */
  async watch(by: Device, session: string, number: number): Promise<{ mayType: boolean }> {
    permitLook(by, session);
    await this.#parts.sessions.known(session);
    this.#parts.terminals.get(session, number);
    return { mayType: includesScope(by.scope, 'admin') };
  }

  /** Somebody begins to type: who, and not what. */
  async noteTyping(by: Device, session: string, number: number): Promise<void> {
    permit(by, 'admin', session);
    const subject = String(number);
    await this.#parts.decisions.keep(authorOf(by), { what: 'type in terminal', session, subject });
  }

  /** Raises `FORBIDDEN` unless this is the terminal's own process. */
  enter(by: Device, session: string, number: number): Terminal {
    const isIts =
      by.kind === 'terminal' && by.session === session && by.name === terminalName(session, number);
    if (!isIts) throw new ForbiddenError('admin');
    return this.#parts.terminals.get(session, number);
  }

  /** Tokens of terminals that ended while no hub was there. */
  async tidyUp(): Promise<void> {
    const { store, terminals, revoke, isShared } = this.#parts;
    const isKnown = ({ name, session }: Device): boolean =>
      !isShared ||
      (session !== null &&
        terminals.list(session).some(({ number }) => name === terminalName(session, number)));
    const isRunning = ({ name, session }: Device): boolean =>
      session !== null &&
      terminals
        .list(session)
        .some(({ number, state }) => state === 'running' && name === terminalName(session, number));
    for await (const page of pagesOf((from) => store.devices.list({ kind: 'terminal', ...from })))
      for (const device of page)
        if (device.revokedAt === null && isKnown(device) && !isRunning(device)) await revoke(device.id);
  }

  /** The shell has ended by itself: nobody needs its token any more. */
  async exited(by: Device): Promise<void> {
    await this.#parts.revoke(by.id);
  }

  async #revoke(session: string, isMeant: (name: string) => boolean): Promise<void> {
    const { store, revoke } = this.#parts;
    const kind = 'terminal';
    for await (const page of pagesOf((from) => store.devices.list({ kind, session, ...from })))
      for (const { id, name, revokedAt } of page) if (revokedAt === null && isMeant(name)) await revoke(id);
  }
}

/** An agent may watch its session, but not what a person does in a shell beside it: it may run on another machine. */
function permitLook(by: Device, session: string): void {
  if (by.kind !== 'person') throw new ForbiddenError('watch');
  permit(by, 'watch', session);
}
