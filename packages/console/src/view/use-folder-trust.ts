import { useEffect, useState } from 'react';
import type { FolderTrust } from 'signalbox/hub';
import { useHub, useHubView } from './hub-context.ts';

/** How long a path that is being typed is left alone. */
const TYPING_MS = 250;

/** Whether this browser may say which folders are trusted. */
export function useMayTrust(): boolean {
  return useHubView().device?.scope === 'admin';
}

/** What the hub knows about the trust of a folder; undefined while nothing is known, or nothing is to be said. */
export function useFolderTrust(folder: string): FolderTrust | undefined {
  const { api } = useHub();
  const mayTrust = useMayTrust();
  const [looked, setLooked] = useState<{ at: string; trust: FolderTrust | undefined }>();
  useEffect(() => {
    let isOver = false;
    if (!mayTrust || !/^[/~]/.test(folder)) return undefined;
    const look = (): void => {
      api.lookAtFolder(folder).then(
        (found) => {
          if (!isOver) setLooked({ at: folder, trust: found });
        },
        // One that is not there is said when the session is started.
        () => {},
      );
    };
    const timer = setTimeout(look, TYPING_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [api, folder, mayTrust]);
  return looked?.at === folder ? looked.trust : undefined;
}
