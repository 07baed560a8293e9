import { type ReactNode, useEffect, useRef, useState } from 'react';

/** Something that may be larger than its room; who has no pointer scrolls it once it has the focus. */
export function ScrollBox({
  className,
  label,
  children,
}: {
  className: string;
  label: string;
  children: ReactNode;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [isLarger, setLarger] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (!current) return undefined;
    const observer = new ResizeObserver(() =>
      setLarger(current.scrollWidth > current.clientWidth || current.scrollHeight > current.clientHeight),
    );
    // Its own size changes with the window, that of what is in it with what is said.
    for (const element of [current, current.firstElementChild]) if (element) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const reached = isLarger ? { tabIndex: 0, role: 'group', 'aria-label': label } : {};
  return (
    <div ref={box} className={className} {...reached}>
      {children}
    </div>
  );
}
