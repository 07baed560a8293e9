/** Does something at Esc; taken here, it does not interrupt the turn as well. */
export function onEscape(leave: () => void): (event: { key: string; preventDefault: () => void }) => void {
  return (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    leave();
  };
}
