import { sessionTitle } from '@signalbox/protocol';
import {
  type KeyboardEvent,
  use,
  useDeferredValue,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { findCommands } from '../model/find-commands.ts';
import { shortFolder } from '../model/short-folder.ts';
import { SearchIcon } from '../parts/icons.tsx';
import { useHubView } from '../shell/hub-context.ts';
import { go, pathOf, searchPath } from '../shell/route.ts';
import { t } from '../words/t.ts';
import { type Command, CommandContext } from './commands.ts';

/** More are found by writing on. */
const MAX_SHOWN = 50;

/** So many sessions before anything is typed: the latest. */
const LATEST_SESSIONS = 6;

/** A command, or what else the palette leads to. */
type Entry = Omit<Command, 'group'> & { group: string };

/** Everything that can be done and every session, found by words and taken by keys. */
export function Palette({ onClose }: { onClose: () => void }) {
  const { sessions } = useHubView();
  const offered = use(CommandContext);
  // Also those of a part that is drawn only now: a session is on its way when somebody is quick.
  const commands = useSyncExternalStore(offered.subscribe, offered.all);
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Sessions by the thousand must not hold up what is typed.
  const sought = useDeferredValue(typed);
  const isEmpty = sought.trim() === '';
  const toSessions = sessions.map(
    (session): Entry => ({
      title: sessionTitle(session),
      words: [session.folder, session.lastPrompt, t.states.session(session).word].filter(Boolean).join('\n'),
      group: [t.states.session(session).word, session.folder && shortFolder(session.folder)]
        .filter(Boolean)
        .join(' · '),
      run: () => go(pathOf(session.id)),
    }),
  );
  const all: Entry[] = [
    ...commands.map((command) => ({ ...command, group: t.palette.groups[command.group] })),
    ...(isEmpty ? toSessions.slice(0, LATEST_SESSIONS) : toSessions),
  ];
  const found = findCommands(all, sought).slice(0, MAX_SHOWN);
  const shown = isEmpty ? found : [...found, everywhere(sought.trim())];
  const chosen = Math.min(place, shown.length - 1);

  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    // Newer browsers answer with a promise, which is nothing to be called at the end.
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);

  const take = (command: Entry | undefined): void => {
    if (!command) return;
    // First: what the command opens gets the focus, and gives it back to where it was before the palette.
    dialog.current?.close();
    command.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setPlace((chosen + step + shown.length) % shown.length);
    else if (event.key === 'Enter') take(shown[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t.palette.title}
      onClose={onClose}
      // A press beside it: the dialog itself is all around what is in it.
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <div className="palette-field">
        <SearchIcon />
        <input
          role="combobox"
          aria-label={t.palette.find}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={id}
          aria-activedescendant={shown.length > 0 ? `${id}-${chosen}` : undefined}
          placeholder={t.palette.hint}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onKeyDown={onKey}
          onChange={({ target }) => {
            setTyped(target.value);
            setPlace(0);
          }}
        />
      </div>
      <ul id={id} role="listbox" aria-label={t.palette.title} className="palette-list">
        {shown.map((command, index) => (
          <li
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => setPlace(index)}
            onClick={() => take(command)}
          >
            <span className="palette-title" dir="auto">
              {command.title}
            </span>
            <span className="faint small">{command.group}</span>
            {command.keys !== undefined && <kbd>{t.palette.keys(command.keys)}</kbd>}
          </li>
        ))}
      </ul>
    </dialog>
  );
}

function everywhere(words: string): Entry {
  return {
    title: t.palette.searchFor(words),
    group: t.palette.search,
    run: () => go(searchPath(words)),
  };
}
