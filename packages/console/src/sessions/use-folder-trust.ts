import { useCallback } from 'react';
import type { FolderTrust } from 'signalbox/hub';
import { useHub, useHubView } from '../shell/hub-context.ts';
import { useFolderLook } from './use-folder-look.ts';

/** Whether this browser may say which folders are trusted. */
export function useMayTrust(): boolean {
  return useHubView().device?.scope === 'admin';
}

/** What the hub knows about the trust of a folder; undefined while nothing is known, or nothing is to be said. */
export function useFolderTrust(folder: string): FolderTrust | undefined {
  const { api } = useHub();
  const look = useCallback((at: string) => api.lookAtFolder(at), [api]);
  return useFolderLook(folder, useMayTrust(), look);
}
