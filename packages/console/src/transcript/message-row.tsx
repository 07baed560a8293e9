import { type ReactNode, useState } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { LinkIcon, RestartIcon } from '../parts/icons.tsx';
import { hashOf } from '../shell/route.ts';
import { t } from '../words/t.ts';

/** A prompt or a reply. Whoever comes to it, with a pointer, a tap or the keyboard, finds what can be done with it. */
export function MessageRow({
  kind,
  text,
  seq,
  onBack,
  children,
}: {
  kind: 'prompt' | 'reply';
  text: string;
  seq: number | undefined;
  /** Go back to before a prompt, or on from a reply. */
  onBack?: (() => void) | undefined;
  children: ReactNode;
}) {
  // Thousands of rows must not have buttons that nobody sees.
  const [isVisited, setVisited] = useState(false);
  const visit = (): void => setVisited(true);
  return (
    <div className={`row ${kind}`} data-seq={seq} tabIndex={-1} onPointerEnter={visit} onFocus={visit}>
      {children}
      {isVisited && seq !== undefined && <MessageActions kind={kind} text={text} seq={seq} onBack={onBack} />}
    </div>
  );
}

/** Take its Markdown along, or the address that leads back to it, or go back to it. */
function MessageActions({
  kind,
  text,
  seq,
  onBack,
}: {
  kind: 'prompt' | 'reply';
  text: string;
  seq: number;
  onBack: (() => void) | undefined;
}) {
  const label = kind === 'prompt' ? t.transcript.goBack : t.transcript.goOnAfter;
  const address = `${location.origin}${location.pathname}${hashOf(seq)}`;
  return (
    <span className="message-actions">
      <CopyButton text={text} label={t.transcript.copyMarkdown} />
      <CopyButton text={address} label={t.transcript.copyLink} icon={<LinkIcon />} />
      {onBack && (
        <button type="button" className="icon-button" aria-label={label} title={label} onClick={onBack}>
          <RestartIcon />
        </button>
      )}
    </span>
  );
}
