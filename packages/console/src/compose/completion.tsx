import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useState } from 'react';
import { mentionAt, withPath } from '../model/file-mention.ts';
import { completionsOf, type SlashCommand } from '../model/slash-commands.ts';
import { t } from '../words/t.ts';
import { useFoundFiles } from './use-found-files.ts';

/** More are found by writing on. */
const SHOWN = 8;

/** What is written may become this. */
interface Offer {
  key: string;
  name: string;
  about: string;
  /** The text with it, and where the caret goes on. */
  taken: { text: string; caret: number };
}

/** The commands and files that what is written may become. */
export interface Completion {
  list: ReactNode;
  /** For the field that is written in. */
  attributes: {
    'aria-autocomplete': 'list';
    'aria-controls': string | undefined;
    'aria-activedescendant': string | undefined;
  };
  /** Whether the key was meant for the list. */
  onKey: (event: KeyboardEvent) => boolean;
  /** The caret has moved. */
  onCaret: () => void;
}

export function useCompletion({
  session,
  field,
  text,
  commands,
  onTake,
}: {
  session: string;
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  commands: readonly SlashCommand[];
  onTake: (text: string) => void;
}): Completion {
  const id = useId();
  const [caret, setCaret] = useState(0);
  // Where the caret goes once the text that was taken is in the field.
  const [goOn, setGoOn] = useState<{ text: string; caret: number }>();
  // Where somebody is in the list, and whether they want it, holds for what is written now.
  const [choice, setChoice] = useState({ text: '', place: 0, isWanted: true });
  const { place: wanted, isWanted } = choice.text === text ? choice : { place: 0, isWanted: true };
  const mention = isWanted ? mentionAt(text, caret) : undefined;
  const files = useFoundFiles(session, mention?.query);
  const offers = isWanted ? [...commandOffers(text, commands), ...fileOffers()] : [];
  const place = Math.min(wanted, offers.length - 1);

  function fileOffers(): Offer[] {
    if (!mention) return [];
    return files.paths.slice(0, SHOWN).map((path) => {
      const at = path.lastIndexOf('/');
      const taken = withPath(text, mention, path);
      return { key: path, name: path.slice(at + 1), about: path.slice(0, Math.max(at, 0)), taken };
    });
  }

  const take = ({ taken }: Offer): void => {
    onTake(taken.text);
    setGoOn(taken);
  };
  const move = (step: number): void =>
    setChoice({ text, place: (place + step + offers.length) % offers.length, isWanted });
  const onCaret = (): void => setCaret(field.current?.selectionEnd ?? 0);

  useEffect(() => {
    if (goOn?.text !== text) return;
    field.current?.setSelectionRange(goOn.caret, goOn.caret);
    setCaret(goOn.caret);
    setGoOn(undefined);
  }, [goOn, text, field]);
  // On a low screen the list is longer than its room.
  useEffect(() => {
    // Newer browsers answer with a promise, which is nothing to be called at the end.
    document.getElementById(`${id}-${place}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, place]);

  const onKey = (event: KeyboardEvent): boolean => {
    const chosen = offers[place];
    if (!chosen || event.shiftKey || event.nativeEvent.isComposing) return false;
    switch (event.key) {
      case 'ArrowDown':
        move(1);
        break;
      case 'ArrowUp':
        move(-1);
        break;
      case 'Tab':
      case 'Enter':
        take(chosen);
        break;
      case 'Escape':
        setChoice({ text, place, isWanted: false });
        break;
      default:
        return false;
    }
    event.preventDefault();
    return true;
  };

  const list = (
    <>
      {offers.length > 0 && (
        <ul
          id={id}
          className="completion"
          role="listbox"
          aria-label={mention ? t.compose.files : t.compose.commands}
        >
          {offers.map((offer, index) => (
            <li
              key={offer.key}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === place}
              // Else the field would lose the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => take(offer)}
            >
              <b>
                <bdi>{offer.name}</bdi>
              </b>{' '}
              <span className="faint" dir="auto">
                {offer.about}
              </span>
            </li>
          ))}
        </ul>
      )}
      {files.problem !== '' && (
        <p className="completion-problem faint small" role="status">
          {t.compose.noFiles(files.problem)}
        </p>
      )}
    </>
  );
  const attributes = {
    'aria-autocomplete': 'list',
    'aria-controls': offers.length > 0 ? id : undefined,
    'aria-activedescendant': offers.length > 0 ? `${id}-${place}` : undefined,
  } as const;
  return { list, attributes, onKey, onCaret };
}

function commandOffers(text: string, commands: readonly SlashCommand[]): Offer[] {
  return completionsOf(text, commands)
    .slice(0, SHOWN)
    .map(({ name, description }) => ({
      key: name,
      name: `/${name}`,
      about: description,
      taken: { text: `/${name} `, caret: name.length + 2 },
    }));
}
