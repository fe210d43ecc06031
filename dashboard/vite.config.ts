import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tailwind from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const service = process.env.LASTRO_BASE_URL ?? 'http://localhost:4000';

export default defineConfig({
  plugins: [
    tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single', semicolons: true }),
    react(),
    tailwind(),
    hashInlineScripts(),
  ],
  resolve: { conditions: ['@lastro/source', 'module', 'browser', 'development|production'] },
  build: {
    target: 'es2023',
    // Inlined fonts and images would be `data:` addresses, which the content security policy refuses for fonts.
    assetsInlineLimit: 0,
    // By which the sizes of pages are held (tests/sizes.test.ts).
    manifest: true,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
  },
  worker: { format: 'es' },
  server: {
    port: 5173,
    // Cookies are of the service's own origin, and changes are taken from its pages alone.
    proxy: Object.fromEntries(
      ['/v1', '/v2', '/healthz'].map((path) => [
        path,
        { target: service, changeOrigin: true, headers: { origin: new URL(service).origin } },
      ]),
    ),
  },
});

/** Writes the hashes of the inline scripts of index.html, which the content security policy has to name. */
function hashInlineScripts(): Plugin {
  const hashes: string[] = [];
  return {
    name: 'hash-inline-scripts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        for (const [, code] of html.matchAll(/<script>([\s\S]*?)<\/script>/g))
          hashes.push(`sha256-${createHash('sha256').update(code).digest('base64')}`);
      },
    },
    writeBundle({ dir }) {
      writeFileSync(join(dir!, 'csp.json'), `${JSON.stringify({ scriptHashes: hashes })}\n`);
    },
  };
}
