import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { completionsOf, type SlashCommand } from '../model/slash-commands.ts';

/** More are found by writing on. */
const SHOWN_COMMANDS = 8;

/** The commands that what is written may become. */
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
}

export function useCompletion(
  text: string,
  commands: readonly SlashCommand[],
  onTake: (text: string) => void,
): Completion {
  const id = useId();
  // Where somebody is in the list, and whether they want it, holds for what is written now.
  const [choice, setChoice] = useState({ text: '', place: 0, isWanted: true });
  const { place, isWanted } = choice.text === text ? choice : { place: 0, isWanted: true };
  const found = isWanted ? completionsOf(text, commands).slice(0, SHOWN_COMMANDS) : [];
  const take = ({ name }: SlashCommand): void => onTake(`/${name} `);
  const move = (step: number): void =>
    setChoice({ text, place: (place + step + found.length) % found.length, isWanted });

  // On a low screen the list is longer than its room.
  useEffect(() => {
    // Newer browsers answer with a promise, which is nothing to be called at the end.
    document.getElementById(`${id}-${place}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, place]);

  const onKey = (event: KeyboardEvent): boolean => {
    const chosen = found[place];
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

  const list = found.length > 0 && (
    <ul id={id} className="completion" role="listbox" aria-label="Commands">
      {found.map((command, index) => (
        <li
          key={command.name}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === place}
          // Else the field would lose the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(command)}
        >
          <b>/{command.name}</b> <span className="faint">{command.description}</span>
        </li>
      ))}
    </ul>
  );
  const attributes = {
    'aria-autocomplete': 'list',
    'aria-controls': found.length > 0 ? id : undefined,
    'aria-activedescendant': found.length > 0 ? `${id}-${place}` : undefined,
  } as const;
  return { list, attributes, onKey };
}
