import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The programs that Node starts: the server and the command line, and their worker processes and threads. */
const PROGRAMS = {
  cli: 'cli.ts',
  descriptors: 'storage/installation/descriptors.ts',
  desktop: 'desktop.ts',
  'desktop-cli': 'desktop-cli.ts',
  'archive-worker': 'workers/archive-worker.ts',
  'disk-thread': 'storage/disk/disk-thread.ts',
  'embedded-worker': 'workers/embedded-worker.ts',
  'image-worker': 'workers/image-worker.ts',
  'password-thread': 'accounts/passwords/password-thread.ts',
  'text-worker': 'workers/text-worker.ts',
  'thumbnail-worker': 'workers/thumbnail-worker.ts',
};

/** Packages that load files of their own: native code, WebAssembly, SQL dialects, tables. They stay in node_modules. */
const WITH_FILES = [
  '@hyzyla/pdfium',
  '@node-rs/argon2',
  'iconv-lite',
  'libheif-js',
  'pdfjs-dist',
  'sequelize',
  'sharp',
  'sqlite3',
  'tlds',
  'unpdf',
];

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * One file per program and the chunks they share, so that a start reads tens of files instead of a thousand. Bundled packages are
 * installed as well, with their licences.
 */
export default defineConfig({
  root: here('.'),
  publicDir: false,
  ssr: { target: 'node', noExternal: true, external: WITH_FILES },
  build: {
    ssr: true,
    outDir: here('../dist/bundle'),
    emptyOutDir: true,
    target: 'node20.19',
    minify: false,
    sourcemap: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 10_000,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(PROGRAMS).map(([name, file]) => [name, here(file)])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});
