import { useEffect, useRef, useState } from 'react';
import type { HubTerminalState, TerminalExit } from 'signalbox/hub';
import { useHub } from '../shell/hub-context.ts';
import { t } from '../words/t.ts';
import { LiveTerminal } from './live-terminal.ts';

const KEYS = [
  { name: t.terminal.esc, key: '\x1b' },
  { name: t.terminal.tab, key: '\t' },
  { name: '←', key: 'D', words: t.terminal.left },
  { name: '↑', key: 'A', words: t.terminal.up },
  { name: '↓', key: 'B', words: t.terminal.down },
  { name: '→', key: 'C', words: t.terminal.right },
  { name: '|', key: '|', words: t.terminal.pipe },
  { name: '/', key: '/', words: t.terminal.slash },
  { name: '-', key: '-', words: t.terminal.dash },
];

/** One terminal, and the keys that phones do not have. */
export function TerminalView({
  session,
  number,
  onExit,
}: {
  session: string;
  number: number;
  onExit: () => void;
}) {
  const hub = useHub();
  const element = useRef<HTMLDivElement>(null);
  const live = useRef<LiveTerminal>(undefined);
  const [state, setState] = useState<HubTerminalState>('connecting');
  const [exit, setExit] = useState<TerminalExit | null>();
  const [trouble, setTrouble] = useState('');
  const [isCtrl, setCtrl] = useState(false);
  useEffect(() => {
    if (!element.current) return undefined;
    const terminal = new LiveTerminal(element.current, {
      address: hub.address,
      session,
      number,
      onState: setState,
      onExit: (how) => {
        setExit(how);
        onExit();
      },
      onTrouble: setTrouble,
    });
    live.current = terminal;
    // A phone would open its keyboard over what there is to read.
    if (matchMedia('(pointer: fine)').matches) terminal.focus();
    return () => terminal.close();
  }, [hub, session, number, onExit]);
  return (
    <div className="terminal-view">
      <div className="terminal-screen" ref={element} />
      <p className="terminal-words" role="status">
        {exit === undefined ? stateWords(state, trouble) : exitWords(exit)}
      </p>
      <div className="terminal-keys" role="toolbar" aria-label={t.terminal.keys}>
        <button
          type="button"
          aria-pressed={isCtrl}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => live.current?.holdCtrl(!isCtrl, setCtrl)}
        >
          {t.terminal.ctrl}
        </button>
        {KEYS.map(({ name, key, words = name }) => (
          <button
            key={name}
            type="button"
            aria-label={words}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => live.current?.press(key)}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  );
}

function stateWords(state: HubTerminalState, trouble: string): string {
  if (state === 'refused') return trouble || t.terminal.isGone;
  if (state === 'waiting' || state === 'connecting') return t.terminal.connecting;
  return trouble;
}

function exitWords(exit: TerminalExit | null): string {
  if (!exit) return t.terminal.killed;
  if (exit.signal !== null) return t.terminal.endedBy(exit.signal);
  return exit.code === 0 ? t.terminal.shellEnded : t.terminal.endedWith(exit.code);
}
