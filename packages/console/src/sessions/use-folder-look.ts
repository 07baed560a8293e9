import { useEffect, useState } from 'react';

/** How long a path that is being typed is left alone. */
const TYPING_MS = 250;

/** What the hub says of a folder that somebody types; undefined while nothing is known, or nothing is to be said. */
export function useFolderLook<Found>(
  folder: string,
  isAsked: boolean,
  look: (folder: string) => Promise<Found | undefined>,
): Found | undefined {
  const [looked, setLooked] = useState<{ at: string; found: Found | undefined }>();
  useEffect(() => {
    let isOver = false;
    if (!isAsked || !/^[/~]/.test(folder)) return undefined;
    const timer = setTimeout(() => {
      look(folder).then(
        (found) => {
          if (!isOver) setLooked({ at: folder, found });
        },
        // What is wrong with it is said when the session is started.
        () => {},
      );
    }, TYPING_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [folder, isAsked, look]);
  return looked?.at === folder ? looked.found : undefined;
}
