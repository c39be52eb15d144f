import { fileURLToPath } from 'node:url';
import { defineConfig, type Rolldown } from 'vite';

type ChunkingContext = Rolldown.ChunkingContext;

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

/** What a start loads besides the entry, by the module that it begins with. */
const STARTS: Readonly<Record<string, readonly string[]>> = {
  serve: ['cli/serve-command.ts', 'desktop.ts', 'composition/larder.ts'],
  cli: ['cli.ts', 'storage/installation/descriptors.ts'],
  control: ['cli/control-command.ts', 'cli/status-command.ts'],
  offline: ['setup', 'doctor', 'backup', 'restore'].map((command) => `cli/${command}-command.ts`),
  disk: ['storage/disk/disk-thread.ts'],
  workers: Object.values(PROGRAMS).filter((file) => /worker|password/.test(file)),
};

const reached = new Map<string, ReadonlySet<string>>();

/** All modules that are loaded with these, without those that are imported later. */
function staticImports(modules: readonly string[], context: ChunkingContext): ReadonlySet<string> {
  const found = new Set(modules);
  for (const id of found) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  }
  return found;
}

/**
 * The chunk of a module that the server loads at its start: one for all modules that the same programs load. Without it, each module
 * that something else imports later has a chunk of its own, and finding a hundred of them takes a fifth of the start.
 */
function loadedAtStart(id: string, context: ChunkingContext): string | null {
  // A program begins its work when its module is loaded.
  if (context.getModuleInfo(id)?.isEntry !== false) return null;
  for (const [start, files] of Object.entries(STARTS)) {
    if (!reached.has(start)) reached.set(start, staticImports(files.map(here), context));
  }
  const loading = Object.keys(STARTS).filter((start) => reached.get(start)?.has(id));
  return loading.includes('serve') || loading.includes('cli') ? loading.join('-') : null;
}

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
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'chunks/[name]-[hash].js',
        codeSplitting: {
          groups: [{ name: loadedAtStart, debugName: 'loaded at start' }],
          includeDependenciesRecursively: false,
        },
      },
    },
  },
});
