/** The end of a path says more than its beginning. */
export function shortFolder(folder: string): string {
  const parts = folder.split('/').filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : folder;
}
