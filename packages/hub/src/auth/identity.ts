import type { Author, SessionViewer } from '@signalbox/protocol/hub';
import type { Device, DeviceGrant } from '../store/device.ts';

/** What an agent's token is good for: to dial in and watch. An agent must not approve what it asks itself. */
export function agentGrant(session: string): DeviceGrant {
  return { kind: 'agent', person: 'agent', name: `agent of ${session}`, scope: 'watch', session };
}

/** What a terminal's token is good for: to dial in as that terminal. */
export function terminalGrant(session: string, number: number): DeviceGrant {
  const name = terminalName(session, number);
  return { kind: 'terminal', person: 'terminal', name, scope: 'watch', session };
}

/** The name of the device that a terminal's process is; nobody else gets one of its kind. */
export function terminalName(session: string, number: number): string {
  return `terminal ${number} of ${session}`;
}

/** Who a device speaks for. */
export function authorOf({ person, name, id }: Device): Author {
  return { by: 'person', name: person, device: name, deviceId: id };
}

/** The same, for one who watches. */
export function viewerOf({ person, name, id }: Device): SessionViewer {
  return { person, device: name, deviceId: id };
}
