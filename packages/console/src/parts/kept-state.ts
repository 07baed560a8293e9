import { createContext, use, useState } from 'react';

/** What readers opened and closed, by the row: a row that is out of sight is not there, and comes back as it was left. */
export const KeptContext = createContext<Map<string, boolean> | undefined>(undefined);

/** Whether something is open; undefined until its reader has decided. Kept where it has a name. */
export function useKept(name: string | undefined): [boolean | undefined, (isOpen: boolean) => void] {
  const kept = use(KeptContext);
  const [choice, setChoice] = useState(() => (name === undefined ? undefined : kept?.get(name)));
  const choose = (isOpen: boolean): void => {
    if (name !== undefined) kept?.set(name, isOpen);
    setChoice(isOpen);
  };
  return [choice, choose];
}
