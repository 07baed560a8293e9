/** A command on the machine of the hub. Nobody can tell from here whether it was installed there, or runs in a clone. */
export function HubCommand({ words }: { words: 'up' | 'link' }) {
  return (
    <>
      <code>signalbox {words}</code> (in a clone{' '}
      <code>{words === 'up' ? 'npm start' : `npx signalbox ${words}`}</code>)
    </>
  );
}
