import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const HUB = process.env.SIGNALBOX_HUB ?? 'http://127.0.0.1:8765';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react()],
  build: {
    outDir: '../../dist/console',
    target: 'es2023',
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    modulePreload: { polyfill: false },
    // The page's policy allows no images out of data but those of a conversation.
    assetsInlineLimit: 0,
  },
  // Its grammars are loaded one by one.
  worker: { format: 'es' },
  // While the page is worked on, a hub that runs answers it.
  server: {
    proxy: { '/api': { target: HUB, ws: true }, '/sign-in': HUB },
  },
});
