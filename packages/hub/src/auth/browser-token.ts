/** Of 256 random bits, 132: no guessing finds the page's part, and none finds what the cookie has before it. */
const PAGE_PART_LENGTH = 22;

/** A browser's token in two parts, neither of which is good for anything without the other. */
export interface BrowserToken {
  /** Kept where no script reads it, but sent to every port of the host. */
  cookie: string;
  /** Kept where scripts of one origin alone read it, and never sent by itself. */
  bearer: string;
}

/** Cookies know no ports: whoever serves another port of this host gets them, and must not get in by them. */
export function splitToken(token: string): BrowserToken {
  return { cookie: token.slice(0, -PAGE_PART_LENGTH), bearer: token.slice(-PAGE_PART_LENGTH) };
}

/** The token of a browser that shows both parts. */
export function joinToken({ cookie, bearer }: BrowserToken): string {
  return cookie + bearer;
}
