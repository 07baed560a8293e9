import { PencilIcon } from '../parts/icons.tsx';
import { t } from '../words/t.ts';

/** Changes what is asked before it is allowed. */
export function EditButton({ isLocked, onEdit }: { isLocked: boolean; onEdit: () => void }) {
  return (
    <button
      type="button"
      className="icon-button"
      data-answer="edit"
      aria-label={t.asks.edit}
      title={t.asks.editTitle}
      disabled={isLocked}
      onClick={onEdit}
    >
      <PencilIcon />
    </button>
  );
}
