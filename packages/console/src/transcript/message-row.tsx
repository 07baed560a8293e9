import { type ReactNode, useState } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { LinkIcon } from '../parts/icons.tsx';
import { hashOf } from '../shell/route.ts';

/** A prompt or a reply. Whoever comes to it, with a pointer, a tap or the keyboard, finds what can be done with it. */
export function MessageRow({
  kind,
  text,
  seq,
  children,
}: {
  kind: 'prompt' | 'reply';
  text: string;
  seq: number | undefined;
  children: ReactNode;
}) {
  // Thousands of rows must not have buttons that nobody sees.
  const [isVisited, setVisited] = useState(false);
  const visit = (): void => setVisited(true);
  return (
    <div className={`row ${kind}`} data-seq={seq} tabIndex={-1} onPointerEnter={visit} onFocus={visit}>
      {children}
      {isVisited && seq !== undefined && <MessageActions text={text} seq={seq} />}
    </div>
  );
}

/** Take its Markdown along, or the address that leads back to it. */
function MessageActions({ text, seq }: { text: string; seq: number }) {
  const address = `${location.origin}${location.pathname}${hashOf(seq)}`;
  return (
    <span className="message-actions">
      <CopyButton text={text} label="Copy as Markdown" />
      <CopyButton text={address} label="Copy the link" icon={<LinkIcon />} />
    </span>
  );
}
