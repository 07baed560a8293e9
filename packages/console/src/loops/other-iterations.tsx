import { t } from '../words/t.ts';
/** Shows or hides the iterations of a loop besides the one that is in sight. */
export function OtherIterations({
  count,
  isOpen,
  onToggle,
}: {
  count: number;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const more = t.loops.others(count);
  return (
    <button type="button" className="loop-more faint" aria-expanded={isOpen} onClick={onToggle}>
      {isOpen ? t.loops.hideOthers : more}
    </button>
  );
}
