import { t } from '../words/t.ts';
import { CloseIcon, WarningIcon } from './icons.tsx';

/** Something that went wrong and is over: said where there is room for it, until somebody has read it. */
export function Notice({ words, onClose }: { words: string; onClose: () => void }) {
  return (
    <div className="notice">
      <WarningIcon />
      <p role="alert" dir="auto">
        {words}
      </p>
      <button type="button" className="icon-button" aria-label={t.common.dismiss} onClick={onClose}>
        <CloseIcon />
      </button>
    </div>
  );
}
