import { PencilIcon } from '../parts/icons.tsx';

/** Changes what is asked before it is allowed. */
export function EditButton({ isLocked, onEdit }: { isLocked: boolean; onEdit: () => void }) {
  return (
    <button
      type="button"
      className="icon-button"
      data-answer="edit"
      aria-label="Edit …"
      title="Edit it before it is allowed (E)"
      disabled={isLocked}
      onClick={onEdit}
    >
      <PencilIcon />
    </button>
  );
}
