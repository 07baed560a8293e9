import { addNoticePushes } from './notice-pushes.ts';
import { addOfflineAnswers, type OfflineFiles } from './offline-answers.ts';
import type { WorkerScope } from './worker-scope.ts';

/** The build puts the list in its place. */
declare const SIGNALBOX_OFFLINE_FILES: OfflineFiles;

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this runs in a service worker, and nowhere else
const worker = globalThis as unknown as WorkerScope;

addOfflineAnswers(worker, SIGNALBOX_OFFLINE_FILES);
addNoticePushes(worker);
