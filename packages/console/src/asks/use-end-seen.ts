import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether the end of something that may be longer than its room is in sight, and whether it ever was. */
export function useEndSeen<Marker extends Element>(): {
  end: RefObject<Marker | null>;
  isSeen: boolean;
  isInSight: boolean;
} {
  const end = useRef<Marker>(null);
  const [isSeen, setSeen] = useState(false);
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    const marker = end.current;
    if (!marker) return undefined;
    const observer = new IntersectionObserver((entries) => {
      const isVisible = entries.at(-1)?.isIntersecting ?? false;
      setInSight(isVisible);
      if (isVisible) setSeen(true);
    });
    observer.observe(marker);
    return () => observer.disconnect();
  }, []);
  return { end, isSeen, isInSight };
}
