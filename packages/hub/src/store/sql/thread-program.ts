/** The programs of threads. */
export type WorkerName =
  | 'store-worker'
  | 'search-worker'
  | 'backup-worker'
  | 'copy-worker'
  | 'postgres-worker'
  | 'postgres-search-worker';

/** A thread's program. Who runs from source has it from the last build: through a loader each start would take a second. */
export function threadProgram(name: WorkerName): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? `../../../../../dist/chunks/${name}.js` : `./${name}.js`, import.meta.url);
}
