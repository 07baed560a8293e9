import { shortInput } from '@signalbox/protocol';
import type { ReactNode } from 'react';
import type { CallItem, CallState } from '../model/item.ts';
import { outcomeOf } from '../model/tool-outcome.ts';
import { toolTitle } from '../model/tool-title.ts';
import { Disclosure } from '../parts/disclosure.tsx';
import { OutputPeek } from './cards/output.tsx';
import { cardOf } from './cards/tool-cards.ts';

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
  const { name, state, result } = call;
  const { Body, Peek = OutputPeek, isOpenByItself = false } = cardOf(name);
  return (
    <div className="row call" data-state={state} data-seq={call.seq} tabIndex={-1}>
      <Disclosure
        // What is asked about is on the card below.
        isOpenByItself={isOpenByItself && state !== 'asking' && state !== 'writing'}
        summary={
          <>
            <span className="call-name">{toolTitle(name)}</span>
            <span className="call-input">
              {name === 'TodoWrite' ? '' : shortInput(name, call.input, folder)}
            </span>
            <CallOutcome call={call} />
          </>
        }
        peek={<Peek call={call} folder={folder} />}
      >
        <Body call={call} folder={folder} />
      </Disclosure>
      {result && result.images.length > 0 && (
        <div className="pictures">
          {result.images.map((source, index) => (
            <img key={index} src={source} alt="Result" className="picture" />
          ))}
        </div>
      )}
      {call.children.length > 0 && <SubAgent call={call}>{children}</SubAgent>}
    </div>
  );
}

/** How it stands, or what came of it. */
function CallOutcome({ call }: { call: CallItem }) {
  const { name, state, decidedBy } = call;
  const by = decidedBy === undefined ? '' : ` by ${decidedBy}`;
  const { yes, no } = DECISIONS[name] ?? { yes: 'allowed', no: 'denied' };
  return (
    <span className="call-state">
      {decidedBy && state !== 'denied' && (
        <span className="call-by">
          {yes}
          {by} ·{' '}
        </span>
      )}
      {state === 'denied' ? `${no}${by}` : outcomeOf(call) || WORDS[state]}
    </span>
  );
}

/** What a sub-agent does: in sight while it works, and then for those who want to know. */
function SubAgent({ call, children }: { call: CallItem; children: ReactNode }) {
  const isAtWork = call.state === 'running' || call.state === 'asking';
  const calls = call.children.filter(({ kind }) => kind === 'call').length;
  const words = `What it did${calls > 0 ? ` · ${calls} ${calls === 1 ? 'call' : 'calls'}` : ''}`;
  return (
    <div className="sub-agent">
      <Disclosure summary={<span className="faint small">{words}</span>} isOpenByItself={isAtWork}>
        <div className="children">{children}</div>
      </Disclosure>
    </div>
  );
}
