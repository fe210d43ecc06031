import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tailwind from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const service = process.env.LASTRO_BASE_URL ?? 'http://localhost:4000';

/** How many pages need a module for it to be loaded with any of them. */
const pagesOfCommon = 8;

export default defineConfig({
  plugins: [
    tanstackRouter({ target: 'react', autoCodeSplitting: true, quoteStyle: 'single', semicolons: true }),
    react(),
    tailwind(),
    loadFirst(),
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
    rolldownOptions: {
      output: {
        // Each file costs a request of its own before the first page shows: what most pages have in common is one.
        codeSplitting: { groups: [{ name: 'common', minShareCount: pagesOfCommon }] },
        // The first script names all files, so that words in their names would be loaded with every page.
        chunkFileNames: 'assets/[hash].js',
      },
    },
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

/** Names in index.html what every page behind the sign-in needs, which browsers would learn of late: its frame, its font. */
function loadFirst(): Plugin {
  return {
    name: 'load-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = Object.values(bundle);
        const frame = files.find(
          (one) => one.type === 'chunk' && /_app\.tsx\?tsr-split/.test(one.facadeModuleId ?? ''),
        );
        const font = files.find(({ fileName }) => /geist-latin-wght-normal/.test(fileName));
        if (frame?.type !== 'chunk' || !font) return this.error('where is the frame of the pages, or their font?');
        const scripts = [frame.fileName, ...frame.imports].filter((name) => !html.includes(name));
        const link = (name: string, attrs: Record<string, string>) =>
          ({ tag: 'link', attrs: { ...attrs, crossorigin: true, href: `/${name}` }, injectTo: 'head' }) as const;
        return [
          ...scripts.map((name) => link(name, { rel: 'modulepreload' })),
          link(font.fileName, { rel: 'preload', as: 'font', type: 'font/woff2' }),
        ];
      },
    },
  };
}

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
