import type { Author, HubDevice, PermissionRequest } from 'signalbox/hub';

/** Who it was, as others are told. */
export function authorWords(author: Author): string {
  return author.by === 'person' ? `${author.name} on ${author.device}` : `the ${author.by}`;
}

/** How a request ended that somebody else answered or that nobody asks any more; undefined for an answer of one's own. */
export function endOfAsk({ state, answer }: PermissionRequest, me: HubDevice): string | undefined {
  if (state === 'withdrawn') return 'the agent does not ask any more';
  if (state === 'expired') return 'the agent that asked is gone';
  if (!answer) return undefined;
  const { author, what } = answer;
  const isMine = author.by === 'person' && author.name === me.person && author.device === me.name;
  return isMine ? undefined : `answered by ${authorWords(author)}: ${what}`;
}
