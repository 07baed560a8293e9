import { Logo } from '../parts/icons.tsx';
import { go, HOME } from './route.ts';

/** The name of the page, and the way to the board. */
export function HomeLink({ onGo }: { onGo?: () => void }) {
  return (
    <button
      type="button"
      className="home-link"
      aria-label="Signalbox: overview"
      title="Overview"
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
