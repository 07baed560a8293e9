import { useHubView } from './hub-context.ts';

/** Whether this browser may prompt agents, and not only watch them. */
export function useMayDrive(): boolean {
  const scope = useHubView().device?.scope;
  return scope === 'drive' || scope === 'admin';
}

/** Whether this browser may make sessions of others. One that is held to a session makes none. */
export function useMayFork(): boolean {
  const { device } = useHubView();
  return useMayDrive() && device?.session === null;
}

/** Whether this browser may make the hub forget what was said. */
export function useMayRemove(): boolean {
  return useHubView().device?.scope === 'admin';
}

/** Whether this browser may say what is answered without asking people: for all of them, and so for all sessions. */
export function useMayRule(): boolean {
  const { device } = useHubView();
  return device?.scope === 'admin' && device.session === null;
}

/** Whether this browser may answer what agents ask. */
export function useMayAnswer(): boolean {
  return useHubView().device?.scope !== 'watch';
}
