import { type KeyboardEvent, useRef } from 'react';
import type { ItemGroup } from '../model/item.ts';
import { historyStep, promptHistory, saidBy } from '../model/prompt-history.ts';
import { useHubView } from '../shell/hub-context.ts';
import { sentPrompts } from './sent-prompts.ts';

/** Up in an empty box: what was said before, in this session and then in others. Says whether the key was meant for it. */
export function useHistory(
  session: string,
  groups: readonly ItemGroup[],
  write: (text: string) => void,
): (event: KeyboardEvent<HTMLTextAreaElement>) => boolean {
  const person = useHubView().device?.person;
  const place = useRef(-1);
  return (event) => {
    const { key, currentTarget: field, shiftKey, altKey, ctrlKey, metaKey, nativeEvent } = event;
    if (key !== 'ArrowUp' && key !== 'ArrowDown') return false;
    if (shiftKey || altKey || ctrlKey || metaKey || nativeEvent.isComposing) return false;
    const sent = sentPrompts();
    const textsOf = (isHere: boolean): string[] =>
      sent.filter((one) => (one.session === session) === isHere).map(({ text }) => text);
    const history = promptHistory(textsOf(true), saidBy(person, groups), textsOf(false));
    const { value: text, selectionStart: start, selectionEnd: end } = field;
    const step = historyStep(key, { text, start, end }, history, place.current);
    if (!step) return false;
    place.current = step.place;
    event.preventDefault();
    write(step.text);
    return true;
  };
}
