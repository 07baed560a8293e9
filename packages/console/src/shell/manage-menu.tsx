import { useId, useRef } from 'react';
import { t } from '../words/t.ts';
import { useHubView } from './hub-context.ts';
import { HUB_PAGES } from './hub-pages.ts';
import { LanguageChoice } from './language-choice.tsx';
import { go, HOME } from './route.ts';

/** The way to the pages about the hub itself. */
export function ManageMenu({ onGo }: { onGo?: (() => void) | undefined }) {
  const { device } = useHubView();
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const pages = HUB_PAGES.filter(({ isFor }) => device && isFor(device));
  return (
    <>
      <button type="button" className="button quiet" popoverTarget={id}>
        {t.shell.manage}
      </button>
      <div ref={menu} id={id} popover="auto" className="menu menu-above">
        {pages.map(({ hash, title }) => (
          <button
            key={hash}
            type="button"
            className="button quiet"
            onClick={() => {
              menu.current?.hidePopover();
              go(`${HOME}${hash}`);
              onGo?.();
            }}
          >
            {title}
          </button>
        ))}
        <hr />
        <LanguageChoice />
      </div>
    </>
  );
}
