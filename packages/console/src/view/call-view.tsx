import { listAt, shortInput } from '@signalbox/protocol';
import type { ReactNode } from 'react';
import type { CallItem, CallState } from '../model/item.ts';
import { reportOf } from '../model/report.ts';
import { toolTitle } from '../model/tool-title.ts';
import { CallInput } from './call-input.tsx';
import { Disclosure } from './disclosure.tsx';
import { LongText } from './long-text.tsx';
import { Markdown } from './markdown.tsx';

const WORDS: Record<CallState, string> = {
  writing: 'preparing',
  asking: 'asks you',
  running: 'running',
  done: 'done',
  failed: 'failed',
  denied: 'denied',
  interrupted: 'interrupted',
  stopped: 'stopped',
};

/** Their input is what they do: it is worth seeing at once. */
const OPEN_TOOLS = new Set(['Edit', 'MultiEdit', 'Write', 'TodoWrite']);

/** What a person decided, where it is neither allowing nor denying. */
const DECISIONS: Record<string, { yes: string; no: string }> = {
  AskUserQuestion: { yes: 'answered', no: 'not answered' },
  ExitPlanMode: { yes: 'approved', no: 'not approved' },
};

/** A tool call, with what came of it and what its sub-agent says. */
export function CallView({
  call,
  folder,
  children,
}: {
  call: CallItem;
  folder: string | null;
  children: ReactNode;
}) {
  const { name, state, decidedBy } = call;
  const by = decidedBy === undefined ? '' : ` by ${decidedBy}`;
  const { yes, no } = DECISIONS[name] ?? { yes: 'allowed', no: 'denied' };
  const word = state === 'denied' ? `${no}${by}` : WORDS[state];
  return (
    <div className="row call" data-state={state}>
      <Disclosure
        // What is asked about is on the card below.
        isOpenByItself={OPEN_TOOLS.has(name) && state !== 'asking' && state !== 'writing'}
        summary={
          <>
            <span className="call-name">{toolTitle(name)}</span>
            <span className="call-input">{shortInput(name, call.input, folder)}</span>
            <span className="call-state">
              {decidedBy && state !== 'denied' && (
                <span className="call-by">
                  {yes}
                  {by} ·{' '}
                </span>
              )}
              {word}
            </span>
          </>
        }
      >
        <CallInput
          name={name}
          input={call.input}
          patch={listAt(call.result?.structured, 'structuredPatch')}
        />
        {call.result && <CallResult call={call} />}
      </Disclosure>
      {call.children.length > 0 && <div className="children">{children}</div>}
    </div>
  );
}

function CallResult({ call }: { call: CallItem }) {
  const { result, state, name } = call;
  if (!result) return null;
  const report = reportOf(call);
  if (report !== undefined)
    return report === '' ? null : (
      <div className="result">
        <Markdown text={report} />
      </div>
    );
  // What was changed is shown already; that it was is no news.
  const isTold = state === 'done' && OPEN_TOOLS.has(name);
  return (
    <div className="result" data-state={state}>
      {!isTold && result.text.trim() !== '' && <LongText text={result.text} />}
      {!isTold && result.text.trim() === '' && result.images.length === 0 && (
        <p className="faint">No output</p>
      )}
      {result.images.map((source, index) => (
        <img key={index} src={source} alt="Result" className="picture" />
      ))}
    </div>
  );
}
