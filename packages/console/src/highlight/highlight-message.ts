/** A piece of code in one colour; the colour is the name of a variable of the page. */
export type CodeToken = readonly [text: string, color: string];

/** Code as lines of pieces. */
export type CodeLines = readonly (readonly CodeToken[])[];

export interface HighlightRequest {
  id: number;
  code: string;
  grammar: string;
}

/** No lines: the code stays as it is. */
export interface HighlightAnswer {
  id: number;
  lines: CodeLines | undefined;
}
