import { pagesIn } from '../../model/found-pages.ts';
import { firstOf } from '../../model/many.ts';
import { t } from '../../words/t.ts';
import { Output, OutputPeek } from './output.tsx';
import type { CardProps, ToolCard } from './tool-card.ts';

/** Enough to see where it looked. */
const PEEKED = 3;

/** WebSearch: the pages that were found. */
function Body({ call, folder }: CardProps) {
  const [shown, rest] = firstOf(pagesIn(call));
  return (
    <>
      <ul className="pages">
        {shown.map(({ href, title, host }) => (
          <li key={href}>
            <a href={href} target="_blank" rel="noopener noreferrer" dir="auto">
              {title}
            </a>{' '}
            <span className="faint small">{host}</span>
          </li>
        ))}
        {rest.length > 0 && <li className="faint">{t.common.more(rest.length)}</li>}
      </ul>
      <Output call={call} folder={folder} />
    </>
  );
}

function Peek({ call, folder }: CardProps) {
  const pages = pagesIn(call);
  if (pages.length === 0) return <OutputPeek call={call} folder={folder} />;
  const hosts = [...new Set(pages.map(({ host }) => host))];
  const more = hosts.length > PEEKED ? ` ${t.common.andMore(hosts.length - PEEKED)}` : '';
  return <p className="peek">{`${hosts.slice(0, PEEKED).join(', ')}${more}`}</p>;
}

export const webSearchCard: ToolCard = { Body, Peek };
