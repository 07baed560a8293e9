import { SearchIcon } from '../parts/icons.tsx';
import { go, searchPath } from '../shell/route.ts';
import { t } from '../words/t.ts';

/** From the search for a session to that in all that was said. */
export function EverywhereLink({ words, onGo }: { words: string; onGo?: () => void }) {
  const path = searchPath(words.trim());
  return (
    <a
      className="everywhere-link"
      href={path}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        go(path);
        onGo?.();
      }}
    >
      <SearchIcon />
      <span dir="auto">{t.search.searchFor(words.trim())}</span>
    </a>
  );
}
