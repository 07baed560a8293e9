import { type RefObject, useEffect, useRef, useState } from 'react';

/** Whether the end of something that may be longer than its place has been in sight, once. */
export function useEndSeen<Marker extends Element>(): { end: RefObject<Marker | null>; isSeen: boolean } {
  const end = useRef<Marker>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const marker = end.current;
    if (isSeen || !marker) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(marker);
    return () => observer.disconnect();
  }, [isSeen]);
  return { end, isSeen };
}
