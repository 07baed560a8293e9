import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { LAST_ID_HEADER, RUN_HEADER, WebSocketAcceptor } from '@signalbox/transport';
import type { AgentService } from '../../service/agent-service.ts';
import type { Device } from '../../store/device.ts';
import { NoSuchDoorError } from '../http/door-errors.ts';
import { sessionIn } from './session-path.ts';

/** `/ws/<session>` for agents that dial in themselves, `/agent/<session>` for bridges. */
const NAMED = /^\/(?:ws|agent)\/([^/]+)$/;

/** Where agents come in. */
export class AgentDoor {
  readonly #agents: AgentService;
  readonly #acceptor = new WebSocketAcceptor();

  constructor(agents: AgentService) {
    this.#agents = agents;
  }

  /** Connect an agent to its session. Raises `DOOR_NOT_FOUND` or `FORBIDDEN` before anything was answered. */
  async accept(
    device: Device,
    path: string,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const id = path === '/' ? device.session : sessionIn(NAMED, path);
    if (id === undefined) throw new NoSuchDoorError();
    const run = request.headers[RUN_HEADER]?.toString();
    const lastId = request.headers[LAST_ID_HEADER]?.toString();
    const via = path.startsWith('/agent/') ? 'bridge' : 'agent';
    const caller = { run, lastId };
    const transport = await this.#agents.connect(device, id ?? undefined, { via, run }, caller);
    this.#acceptor.accept(request, socket, head, transport);
  }
}
