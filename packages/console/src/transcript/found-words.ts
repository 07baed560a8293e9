import { useEffect } from 'react';
import { wordPlaces } from '../model/word-places.ts';

/** The name that the style sheet knows them by. */
const NAME = 'found-words';

/** More are not marked: a page full of one letter is no help. */
const MAX_MARKED = 500;

/** Marks words in what is drawn of a transcript, without changing it; in browsers that cannot, nothing is marked. */
export function useFoundWords(words: string): void {
  useEffect(() => {
    const box = document.querySelector('.transcript');
    if (!box || words.trim() === '' || !('highlights' in CSS)) return undefined;
    const mark = (): void => void CSS.highlights.set(NAME, new Highlight(...rangesIn(box, words)));
    mark();
    const observer = new MutationObserver(mark);
    observer.observe(box, { subtree: true, childList: true, characterData: true });
    return () => {
      observer.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [words]);
}

function rangesIn(box: Element, words: string): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && ranges.length < MAX_MARKED; node = texts.nextNode())
    for (const [from, to] of wordPlaces(node.nodeValue ?? '', words)) {
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      ranges.push(range);
    }
  return ranges;
}
