import { Logo } from '../parts/icons.tsx';
import { t } from '../words/t.ts';
import { go, HOME } from './route.ts';

/** The name of the page, and the way to the board. */
export function HomeLink({ onGo }: { onGo?: () => void }) {
  return (
    <button
      type="button"
      className="home-link"
      aria-label={t.shell.homeLabel}
      title={t.shell.overview}
      onClick={() => {
        go(HOME);
        onGo?.();
      }}
    >
      <Logo />
      <strong>Signalbox</strong>
    </button>
  );
}
