/** A URL as messages and logs may show it: without credentials, query and fragment. Takes text that is no URL as well. */
export function shownUrl(url: URL | string): string {
  return String(url)
    .replace(/[?#].*$/s, '')
    .replace(/\/\/[^/]*@/, '//');
}
