import { randomUUID } from 'node:crypto';
import { type Page, type PageRequest, pagesOf } from '@signalbox/protocol/hub';
import { authorOf } from '../auth/identity.ts';
import type { OpenSockets } from '../auth/open-sockets.ts';
import type { AuditEntry } from '../store/audit.ts';
import type { Effect } from '../store/commit.ts';
import type { Admission, Device, DeviceGrant, DeviceKind } from '../store/device.ts';
import type { Store } from '../store/store.ts';
import { auditEntry, type Decisions } from './decisions.ts';
import { permit } from './permit.ts';

/** How long a sign-in link is good. */
export const LINK_LIFETIME_MS = 15 * 60_000;

/** Tokens, the links that hand them out, and who did what with them. */
export class DeviceService {
  readonly #store: Store;
  readonly #sockets: OpenSockets;
  readonly #decisions: Decisions;

  constructor(store: Store, sockets: OpenSockets, decisions: Decisions) {
    this.#store = store;
    this.#sockets = sockets;
    this.#decisions = decisions;
  }

  /** Bring a device in by its link; nothing when the link is no good. */
  async signIn(link: string): Promise<Admission | undefined> {
    const admission = await this.#store.devices.redeemLink(link);
    if (!admission) return undefined;
    const { session, id: subject } = admission.device;
    this.#decisions.tell(authorOf(admission.device), { what: 'sign in', session, subject });
    return admission;
  }

  async devices(by: Device, request: PageRequest & { kind?: DeviceKind }): Promise<Page<Device>> {
    permit(by, 'admin');
    return this.#store.devices.list(request);
  }

  async addDevice(by: Device, grant: DeviceGrant): Promise<Admission> {
    permit(by, 'admin');
    const id = randomUUID();
    const [admission] = await this.#decisions.keep(
      authorOf(by),
      { what: 'add device', session: grant.session, subject: id },
      { kind: 'add-device', grant: within(grant, by), id },
    );
    return admission;
  }

  /** The token is refused from now on, and all that it holds open is cut. */
  async revoke(by: Device, id: string): Promise<Device> {
    if (by.id !== id) permit(by, 'admin');
    return this.#revoke(by, id);
  }

  /** What revokes the tokens of a session's agents, to be stored with its removal; then `onRevoked` is called. */
  async agentTokens(
    by: Device,
    session: string,
  ): Promise<{ effects: readonly Effect[]; onRevoked: () => void }> {
    permit(by, 'admin', session);
    const ids: string[] = [];
    for await (const page of pagesOf((from) => this.#store.devices.list({ kind: 'agent', session, ...from })))
      for (const { id, revokedAt } of page) if (revokedAt === null) ids.push(id);
    const decided = ids.map((subject) => ({ what: 'revoke device', session, subject }));
    return {
      effects: decided.flatMap((one) => [
        { kind: 'revoke-device', id: one.subject },
        auditEntry(authorOf(by), one),
      ]),
      onRevoked: () => {
        for (const id of ids) this.#sockets.cut(id);
        for (const one of decided) this.#decisions.tell(authorOf(by), one);
      },
    };
  }

  /** The secret of a link that whoever runs the hub asks for at its start. */
  createFirstLink(grant: DeviceGrant): Promise<string> {
    return this.#store.devices.createLink(grant, LINK_LIFETIME_MS);
  }

  /** The secret of a link that brings one device in, once. */
  async createLink(by: Device, grant: DeviceGrant): Promise<string> {
    permit(by, 'admin');
    const [secret] = await this.#decisions.keep(
      authorOf(by),
      { what: 'create sign-in link', session: grant.session },
      { kind: 'create-link', grant: within(grant, by), lifetimeMs: LINK_LIFETIME_MS, by: by.id },
    );
    return secret;
  }

  async audit(by: Device, request: PageRequest & { session?: string }): Promise<Page<AuditEntry>> {
    permit(by, 'admin', request.session);
    return this.#store.audit.list(request);
  }

  /** A token of the hub's own making is needed no more. */
  async end(id: string): Promise<Device> {
    const device = await this.#store.devices.revoke(id);
    this.#sockets.cut(id);
    return device;
  }

  async #revoke(by: Device, id: string): Promise<Device> {
    const known = await this.#store.devices.get(id);
    const [device] = await this.#decisions.keep(
      authorOf(by),
      { what: 'revoke device', session: known?.session ?? null, subject: id },
      { kind: 'revoke-device', id },
    );
    this.#sockets.cut(id);
    return device;
  }
}

/** Whoever is let in stays no longer than the one who lets them in. */
function within(grant: DeviceGrant, { expiresAt: end }: Device): DeviceGrant {
  return end === null ? grant : { ...grant, expiresAt: Math.min(grant.expiresAt ?? end, end) };
}
