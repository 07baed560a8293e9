import { SCRIPTED_AGENT } from '@signalbox/protocol/hub';
import { createContext, memo, type ReactNode, useContext } from 'react';
import type { Item, PromptItem, ReplyItem, StartItem, TurnEndItem } from '../model/item.ts';
import { CallView } from './call-view.tsx';
import { Disclosure } from './disclosure.tsx';
import { WarningIcon } from './icons.tsx';
import { Markdown } from './markdown.tsx';

/** Whether a script answers: what it would have cost is of no interest. */
export const ScriptedContext = createContext(false);

/** One row of a transcript, drawn again when it is another item. */
export const ItemView = memo(drawItem);

function drawItem({ item, folder }: { item: Item; folder: string | null }): ReactNode {
  switch (item.kind) {
    case 'prompt':
      return <PromptRow item={item} />;
    case 'text':
      return (
        <div className="row reply" data-live={item.isLive || undefined}>
          <Markdown text={item.text} />
        </div>
      );
    case 'thinking':
      return <ThinkingRow item={item} />;
    case 'call':
      return (
        <CallView call={item} folder={folder}>
          {item.children.map((child) => (
            <ItemView key={child.key} item={child} folder={folder} />
          ))}
        </CallView>
      );
    case 'turn-end':
      return <TurnEndRow item={item} />;
    case 'note':
      return (
        <div className="row note" data-tone={item.tone}>
          {item.tone !== 'quiet' && <WarningIcon />}
          {item.detail === undefined ? (
            <span dir="auto">{item.text}</span>
          ) : (
            <Disclosure summary={item.text} isOpenByItself={item.tone === 'error'}>
              <pre className="code">{item.detail}</pre>
            </Disclosure>
          )}
        </div>
      );
    case 'start':
      return <StartRow item={item} />;
    case 'unknown':
      return (
        <div className="row note">
          <Disclosure summary={item.title || 'Unknown message'}>
            <pre className="code">{item.source}</pre>
          </Disclosure>
        </div>
      );
  }
}

function PromptRow({ item }: { item: PromptItem }) {
  return (
    <div className="row prompt">
      <div className="prompt-who faint">
        {item.who}
        {item.time !== undefined && <time> {clock(item.time)}</time>}
      </div>
      <div className="prompt-text" dir="auto">
        {item.text}
      </div>
      {item.images.map((source, index) => (
        <img key={index} src={source} alt="Attached" className="picture" />
      ))}
    </div>
  );
}

function ThinkingRow({ item }: { item: ReplyItem }) {
  return (
    <div className="row thinking">
      <Disclosure summary={item.isLive ? 'Thinking …' : 'Thought'}>
        <div className="thinking-text" dir="auto">
          {item.text}
        </div>
      </Disclosure>
    </div>
  );
}

function StartRow({ item: { model, folder } }: { item: StartItem }) {
  const isScripted = useContext(ScriptedContext);
  return (
    <div className="row note" data-tone="quiet">
      <span dir="auto">{[isScripted ? SCRIPTED_AGENT : model, folder].filter(Boolean).join(' · ')}</span>
    </div>
  );
}

function TurnEndRow({ item }: { item: TurnEndItem }) {
  const { problem, isInterrupted, durationMs, costUsd } = item;
  const isScripted = useContext(ScriptedContext);
  const figures = [
    durationMs === undefined ? '' : duration(durationMs),
    isScripted ? 'scripted' : '',
    isScripted || costUsd === undefined || costUsd === 0 ? '' : `$${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`,
  ].filter(Boolean);
  return (
    <div className="row turn-end">
      {problem !== undefined && (
        <p className="problem" role="alert" dir="auto">
          {problem}
        </p>
      )}
      <span className="rule faint">
        {[...(isInterrupted ? ['Interrupted'] : []), ...figures].join(' · ')}
      </span>
    </div>
  );
}

function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

function clock(time: number): string {
  return new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}
