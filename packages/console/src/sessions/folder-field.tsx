import { type KeyboardEvent, useCallback, useEffect, useId, useState } from 'react';
import { type FolderChoice, folderChoices, typedFolder } from '../model/folder-choice.ts';
import { knownFolders } from '../model/known-folders.ts';
import { onEscape } from '../parts/escape.ts';
import { useHub, useHubView } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';
import { useFolderLook } from './use-folder-look.ts';

const KINDS: Record<FolderChoice['kind'], string> = {
  recent: t.sessions.recentFolder,
  folder: '',
  repository: 'git',
};

/** A folder of the hub's machine: typed, one of the latest, or found by going through those that are there. */
export function FolderField({ folder, onFolder }: { folder: string; onFolder: (folder: string) => void }) {
  const { api } = useHub();
  const { sessions } = useHubView();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const typed = folder.trim();
  const look = useCallback((at: string) => api.folders(at), [api]);
  const listing = useFolderLook(typedFolder(typed)?.folder ?? '', isOpen, look);
  const choices = isOpen ? folderChoices(typed, knownFolders(sessions), listing) : [];
  const place = Math.min(chosen, choices.length - 1);

  useEffect(() => {
    // Newer browsers answer with a promise, which is nothing to be called at the end.
    document.getElementById(`${id}-${place}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, place]);

  const write = (path: string): void => {
    onFolder(path);
    setOpen(true);
    setChosen(-1);
  };
  /** One of the latest is meant as it is; from one that is there people go on. */
  const take = ({ path, kind }: FolderChoice): void => {
    write(kind === 'folder' ? `${path}/` : path);
    if (kind !== 'folder') setOpen(false);
  };
  const close = onEscape(() => setOpen(false));
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || event.shiftKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const choice = choices[place];
    if (event.key === 'Escape' && choices.length > 0) close(event);
    else if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      const { length } = choices;
      // From the field itself Up leads to the last.
      if (length > 0) setChosen(place < 0 && step < 0 ? length - 1 : (place + step + length) % length);
    } else if (choice && (event.key === 'Enter' || event.key === 'Tab')) {
      event.preventDefault();
      take(choice);
    }
  };
  return (
    <div className="folder-field">
      <label>
        {t.sessions.folder}
        <input
          name="folder"
          className="field mono"
          role="combobox"
          aria-expanded={choices.length > 0}
          aria-autocomplete="list"
          aria-controls={choices.length > 0 ? id : undefined}
          aria-activedescendant={place >= 0 ? `${id}-${place}` : undefined}
          required
          pattern="[\/~].*"
          title={t.sessions.folderHint}
          placeholder="~/project"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={folder}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onChange={({ target }) => write(target.value)}
          onKeyDown={onKey}
        />
      </label>
      {choices.length > 0 && (
        <ul id={id} className="folder-choices" role="listbox" aria-label={t.sessions.places}>
          {choices.map((choice, index) => (
            <li
              key={choice.path}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === place}
              // Else the field would lose the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(choice)}
            >
              <bdi className="mono">{choice.path}</bdi>{' '}
              <span className="faint small">{KINDS[choice.kind]}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
