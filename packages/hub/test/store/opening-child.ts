// Opens a store, and says on stdout what came of it.
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

const [, , file = ''] = process.argv;
try {
  const store = await openSqliteStore(file);
  await store.close();
  process.stdout.write('opened');
} catch (error) {
  process.stdout.write(error instanceof Error && 'code' in error ? String(error.code) : String(error));
}
