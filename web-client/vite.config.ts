import { fileURLToPath } from 'node:url';
import { defineConfig, type EnvironmentOptions, type Plugin } from 'vite';
import { extensionsByType } from '../dist/server/lib/names/file-types.js';
import { catalogue, LOCALE } from '../dist/server/messages/catalogue.js';
import { PAGES_IN_PLACE } from '../dist/server/web/files/page-paths.js';
import { appIcons } from './app-icons.ts';
import { compileMessages } from './compile-messages.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Modules generated from server code at build time (`virtual.d.ts`). */
const VALUES: Readonly<Record<string, string>> = {
  'virtual:file-pages': `export const pages = ${JSON.stringify(PAGES_IN_PLACE)};`,
  'virtual:file-types': `export const extensions = ${JSON.stringify(extensionsByType())};`,
};

function serverValues(): Plugin {
  return {
    name: 'server-values',
    resolveId: (id) => (id in VALUES ? `\0${id}` : undefined),
    load: (id) => VALUES[id.slice(1)],
  };
}

/** File names contain a hash of the content, so browsers may cache them permanently. */
const NAMES = {
  entryFileNames: '[name]-[hash].js',
  chunkFileNames: '[name]-[hash].js',
  assetFileNames: '[name]-[hash][extname]',
};

function bundle(folder: string, entries: Readonly<Record<string, string>>): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      outDir: path(`../dist/web-client/${folder}`),
      emptyOutDir: true,
      // The server finds the files by it.
      manifest: 'manifest.json',
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      sourcemap: false,
      reportCompressedSize: false,
      rollupOptions: {
        input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, path(file)])),
        // The server serves them beside the viewer's own scripts (server/web/viewer/assets.ts).
        external: ['pdfjs-dist', 'markdown-it'],
        output: {
          ...NAMES,
          paths: { 'pdfjs-dist': './pdf.min.mjs', 'markdown-it': './markdown-it.mjs' },
          // What many scripts use is in two files: each file costs a request with headers of its own. Modules outside lib/ begin
          // their work when they are loaded, and expect the elements of their page.
          codeSplitting: {
            groups: [
              { name: 'common', minShareCount: 6, priority: 1 },
              { name: 'shared', test: /[\\/]lib[\\/]|messages\//, minShareCount: 3, tags: ['$initial'] },
            ],
          },
        },
      },
    },
  };
}

/**
 * Scripts and styles of the household's pages. Pages find them by the manifest, all addresses are relative, and nothing is
 * inlined: the policy of the pages allows no inline scripts and styles.
 */
export default defineConfig({
  root: path('.'),
  base: './',
  publicDir: false,
  plugins: [
    serverValues(),
    compileMessages(catalogue, { root: path('.'), locale: LOCALE }),
    appIcons(path('../assets/app-icon.svg')),
  ],
  environments: {
    client: bundle('', {
      base: 'styles/base.css',
      account: 'styles/account.css',
      copy: 'account/copy.ts',
      continue: 'account/continue.ts',
      fields: 'account/fields.ts',
      keys: 'account/keys.ts',
      comments: 'styles/comments.css',
      files: 'files/main.ts',
      'files-styles': 'files/files.css',
      details: 'files/details.css',
      photos: 'files/photos.css',
      albums: 'files/albums.css',
      map: 'files/map.css',
      'import-styles': 'files/imports.css',
      'photo-backup': 'photo-backup/main.ts',
      'photo-backup-styles': 'photo-backup/photo-backup.css',
      editing: 'files/editing.css',
      versions: 'files/versions.css',
      comparison: 'files/comparison.css',
      share: 'files/share.ts',
      weblink: 'files/weblink.ts',
      link: 'public-link/main.ts',
      'link-styles': 'public-link/link.css',
      trust: 'trust/main.ts',
      'trust-styles': 'trust/trust.css',
      worker: 'worker/worker.ts',
      unreachable: 'worker/unreachable.ts',
      'unreachable-styles': 'worker/unreachable.css',
    }),
    // A separate bundle: viewer documents may load from one folder only, which contains nothing else.
    viewer: bundle('viewer', {
      base: 'styles/base.css',
      viewer: 'viewer/viewer.css',
      pdf: 'viewer/pdf.ts',
      markdown: 'viewer/markdown.ts',
    }),
  },
  builder: {
    async buildApp(builder) {
      const { client, viewer } = builder.environments;
      if (client === undefined || viewer === undefined) throw new Error('both bundles are configured');
      await builder.build(client);
      await builder.build(viewer);
    },
  },
});
