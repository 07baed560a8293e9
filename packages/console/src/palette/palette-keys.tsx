import { lazy, useLayoutEffect, useState } from 'react';
import { LoadedDialog } from '../parts/loaded-dialog.tsx';

/** Loaded when it is first opened. */
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

/** Ctrl+K or ⌘K brings the palette, from anywhere on the page. */
export function PaletteKeys() {
  const [isOpen, setOpen] = useState(false);
  // In the same commit as the page: a key that is pressed as soon as that is seen must not be lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return;
      // A dialog has the page to itself.
      if (document.querySelector('dialog:modal')) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!isOpen) return null;
  const close = (): void => setOpen(false);
  return (
    <LoadedDialog onClose={close}>
      <Palette onClose={close} />
    </LoadedDialog>
  );
}
