import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../words/t.ts';
import { CheckIcon, CopyIcon } from './icons.tsx';

/** How long the button says that it has done it. */
const TOLD_MS = 2000;

/** Copies a text. Where the connection is not safe a page has no clipboard, and no button. */
export function CopyButton({
  text,
  label,
  icon = <CopyIcon />,
}: {
  text: string;
  label: string;
  icon?: ReactNode;
}) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), TOLD_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (!isSecureContext) return null;
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      // A browser that was told not to: the text can still be marked.
      () => {},
    );
  };
  const words = isCopied ? t.parts.copied : label;
  return (
    <button type="button" className="icon-button copy" aria-label={words} title={words} onClick={copy}>
      {isCopied ? <CheckIcon /> : icon}
    </button>
  );
}
