// @ts-check
// What makes the console one that is installed: its manifest, its icons, and for its service worker the list of files of the page
// that is shown while the hub does not answer.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { iconOf } from './console-icons.js';
import { root } from './setup.js';

const MARK = join(root, 'packages', 'console', 'src', 'style', 'signalbox.svg');

/** What the service worker has in the place of the list. */
const OFFLINE_FILES = 'SIGNALBOX_OFFLINE_FILES';

const OFFLINE_PAGE = 'offline.html';

const ICONS = /** @type {const} */ ([
  { file: 'icon-192.png', size: 192, isMaskable: false },
  { file: 'icon-512.png', size: 512, isMaskable: false },
  // With its ground up to the edges: systems cut it to their own shape.
  { file: 'icon-maskable.png', size: 192, isMaskable: true },
]);

const MANIFEST = {
  id: '/',
  name: 'Signalbox',
  short_name: 'Signalbox',
  description: 'Runs, steers and watches coding agents.',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#15171c',
  theme_color: '#15171c',
  icons: ICONS.map(({ file, size, isMaskable }) => ({
    src: `/${file}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: isMaskable ? 'maskable' : 'any',
  })),
};

/** @returns {import('vite').Plugin} */
export function installFiles() {
  return {
    name: 'install-files',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const mark = readFileSync(MARK, 'utf8');
      const source = JSON.stringify(MANIFEST);
      this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source });
      for (const { file, size, isMaskable } of ICONS)
        this.emitFile({ type: 'asset', fileName: file, source: iconOf(mark, size, { isMaskable }) });
      const offline = Object.values(bundle).filter(({ fileName }) =>
        /^(?:assets\/)?offline[.-]/.test(fileName),
      );
      const version = createHash('sha256');
      for (const part of offline) version.update(part.type === 'chunk' ? part.code : part.source);
      // A worker that is another by a byte is installed anew: with it, what it keeps.
      const list = {
        version: version.digest('hex').slice(0, 8),
        files: offline.map(({ fileName }) => `/${fileName}`),
      };
      const worker = bundle['service-worker.js'];
      if (worker?.type !== 'chunk' || !worker.code.includes(OFFLINE_FILES) || !bundle[OFFLINE_PAGE])
        throw new Error('The service worker or its page is not there.');
      worker.code = worker.code.replace(OFFLINE_FILES, JSON.stringify(list));
    },
  };
}
