import { t } from '../words/t.ts';
import { useHubView } from './hub-context.ts';

/** Offers the page of a hub that was upgraded meanwhile. Nothing that was written is lost by that. */
export function UpdateNote() {
  const { isOutdated } = useHubView();
  if (!isOutdated) return null;
  return (
    <div className="update-note" role="status">
      <span>{t.shell.updated}</span>
      <button type="button" className="button" onClick={() => location.reload()}>
        {t.shell.reload}
      </button>
    </div>
  );
}
