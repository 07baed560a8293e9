import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { installFiles } from '../../scripts/console-install-files.js';

/** Looks at every text before it is drawn. */
const JSX_RUNTIME = fileURLToPath(new URL('src/shown/jsx-runtime.ts', import.meta.url));

const HUB = process.env.SIGNALBOX_HUB ?? 'http://127.0.0.1:8765';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react({ jsxImportSource: 'shown' }), installFiles()],
  resolve: {
    alias: [{ find: /^shown\/jsx-(dev-)?runtime$/, replacement: JSX_RUNTIME }],
  },
  build: {
    outDir: '../../dist/console',
    target: 'es2023',
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: {
        index: fileURLToPath(new URL('index.html', import.meta.url)),
        offline: fileURLToPath(new URL('offline.html', import.meta.url)),
        'service-worker': fileURLToPath(new URL('src/worker/service-worker.ts', import.meta.url)),
      },
      output: {
        // What a service worker may do reaches as far as the folder that it is in.
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
      },
    },
    // The page's policy allows no images out of data but those of a conversation.
    assetsInlineLimit: 0,
  },
  // Its grammars are loaded one by one.
  worker: { format: 'es' },
  // While the page is worked on, a hub that runs answers it.
  server: {
    proxy: { '/api': { target: HUB, ws: true }, '/sign-in': HUB, '/notice': HUB },
  },
});
