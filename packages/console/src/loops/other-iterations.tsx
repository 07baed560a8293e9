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
  const more = count === 1 ? '1 other iteration' : `${count} other iterations`;
  return (
    <button type="button" className="loop-more faint" aria-expanded={isOpen} onClick={onToggle}>
      {isOpen ? 'Hide the other iterations' : more}
    </button>
  );
}
