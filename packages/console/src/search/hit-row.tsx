import { ago } from '../model/session-order.ts';
import { shortFolder } from '../model/short-folder.ts';
import { go, hashOf, pathOf } from '../shell/route.ts';
import { t } from '../words/t.ts';
import type { Hit } from './use-search.ts';

/** Something that was found: whose words, where and when, and the words themselves. It leads to their place. */
export function HitRow({ hit, now }: { hit: Hit; now: number }) {
  const path = `${pathOf(hit.session)}${hashOf(hit.seq)}`;
  return (
    <li className="hit">
      <a
        className="hit-link"
        href={path}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          go(path);
        }}
      >
        <span className="hit-title" dir="auto">
          {hit.title ?? t.search.untitled}
        </span>
        <time className="faint" dateTime={new Date(hit.time).toISOString()}>
          {ago(hit.time, now)}
        </time>
        <span className="hit-where faint">
          {sayer(hit)}
          {hit.folder ? ` · ${shortFolder(hit.folder)}` : ''}
        </span>
        <span className={hit.kind === 'said' ? 'hit-words' : 'hit-words mono'} dir="auto">
          {hit.excerpt.map(({ text, isMatch }, at) =>
            // The parts of an excerpt never change their order.
            // oxlint-disable-next-line react/no-array-index-key
            isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
          )}
        </span>
      </a>
    </li>
  );
}

function sayer({ kind, tool, author }: Hit): string {
  const name = tool ?? t.search.aTool;
  if (kind !== 'said') return kind === 'result' ? t.search.answered(name) : name;
  return author.by === 'person' ? author.name : author.by;
}
