import { textAt } from '@signalbox/protocol';
import { Markdown } from '../../markdown/markdown.tsx';
import { webAddress } from '../../model/web-address.ts';
import { Output } from './output.tsx';
import type { CardProps, ToolCard } from './tool-card.ts';

/** WebFetch: the page, what was asked about it, and the answer. */
function Body({ call, folder }: CardProps) {
  const { input, state, result } = call;
  const address = webAddress(textAt(input, 'url'));
  return (
    <>
      {address && (
        <a className="small" href={address.href} target="_blank" rel="noopener noreferrer">
          {address.href}
        </a>
      )}
      <p className="faint small" dir="auto">
        {textAt(input, 'prompt')}
      </p>
      {state === 'done' && result ? (
        <div className="result">
          <Markdown text={result.text} />
        </div>
      ) : (
        <Output call={call} folder={folder} />
      )}
    </>
  );
}

export const webFetchCard: ToolCard = { Body };
