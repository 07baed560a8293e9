import { useHubView } from './hub-context.ts';

/** Offers the page of a hub that was upgraded meanwhile. Nothing that was written is lost by that. */
export function UpdateNote() {
  const { isOutdated } = useHubView();
  if (!isOutdated) return null;
  return (
    <div className="update-note" role="status">
      <span>The hub was updated. This page is of an earlier version.</span>
      <button type="button" className="button" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );
}
