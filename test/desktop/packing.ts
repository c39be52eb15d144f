import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFile,
  cp,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BUILDER = createRequire(import.meta.url).resolve('electron-builder/cli.js');

/** How Electron ships its fuses: a mark, the version, how many, and each of them, as on (1) or off (0). */
const FUSES = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0009101100011';

/** What is not there yet in a tree where the window is not built. */
const STAND_INS: Readonly<Record<string, string>> = {
  'dist/main/main.js': 'export {};\n',
  'dist/main/preload.cjs': "'use strict';\n",
  'dist/renderer/index.html': '<!doctype html><title>Larder</title>\n',
};

/** What lies about where people work, and belongs into no package. */
const LEFT_BEHIND = [
  'dist/bench/bench.js',
  'dist/test-types/test/unit/names.test.d.ts',
  'dist/renderer/assets/index.js.map',
  'dist/packages/larder_0.0.9_amd64.deb',
  'dist/packages/linux-unpacked/resources/app.asar',
  'larder-data/.larder/larder.sqlite',
  'server/composition/serving/app.ts',
  'main/main.ts',
  'test/unit/text/names.test.ts',
  '.env',
];

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** Runs Node to its end. @returns what it wrote to both outputs */
export async function node(
  args: readonly string[],
  { cwd, env, input = '' }: { cwd: string; env?: NodeJS.ProcessEnv; input?: string },
): Promise<Finished> {
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...env }, stdio: 'pipe' });
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.stdin.on('error', () => undefined).end(input);
  const [code] = await once(child, 'close');
  return { code, output };
}

/** A copy of what is built, in which packages are made as `npm run dist` makes them, without anything from elsewhere. */
export interface PackedProject {
  /** For what a test makes of it: from there, no way leads to packages that were not packed. */
  readonly base: string;
  readonly folder: string;
  /** What the builder keeps of its downloads. */
  readonly downloads: string;
  /** Where it would be installed. */
  readonly installed: string;
  readonly executable: string;
  readonly archive: string;
  /** What the program that makes Debian packages was given. */
  readonly debian: readonly string[];
  readonly desktopEntry: string;
  /** Runs the builder as it would be by hand. */
  builder(args: readonly string[]): Promise<Finished>;
  remove(): Promise<void>;
}

export async function packProject(): Promise<PackedProject> {
  const base = await mkdtemp(join(tmpdir(), 'larder-packages-'));
  const at = (name: string) => join(base, name);
  const [folder, electron, downloads, fpm, scratch] = [
    at('project'),
    at('electron'),
    at('downloads'),
    at('fpm'),
    at('scratch'),
  ];
  const remove = () => rm(base, { recursive: true, force: true });
  try {
    await copyProject(folder);
    await standInForElectron(electron);
    await standInForFpm(fpm);
    await mkdir(scratch);
    const env = {
      CUSTOM_FPM_PATH: fpm,
      TMPDIR: scratch,
      ELECTRON_BUILDER_CACHE: downloads,
      electron_config_cache: downloads,
      // Wherever it went all the same, nobody is there.
      HTTPS_PROXY: 'http://127.0.0.1:1',
      HTTP_PROXY: 'http://127.0.0.1:1',
    };
    const builder = (args: readonly string[]) =>
      node([BUILDER, ...args, `-c.electronDist=${electron}`], { cwd: folder, env });
    const { code, output } = await builder(['--linux', 'deb']);
    if (code !== 0) throw new Error(`no package was made: ${output}`);
    const installed = join(
      folder,
      'dist',
      'packages',
      process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`,
    );
    return {
      base,
      folder,
      downloads,
      installed,
      executable: join(installed, 'larder-desktop'),
      archive: join(installed, 'resources', 'app.asar'),
      debian: (await readFile(`${fpm}.arguments`, 'utf8')).trimEnd().split('\n'),
      desktopEntry: await readFile(`${fpm}.desktop`, 'utf8'),
      builder,
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function copyProject(folder: string): Promise<void> {
  for (const path of ['package.json', 'package-lock.json', 'electron-builder.yml', 'LICENSE', 'dist', 'assets']) {
    await cp(join(ROOT, path), join(folder, path), {
      recursive: true,
      // Packages that were made here before are large.
      filter: (source) => source !== join(ROOT, 'dist', 'packages'),
    });
  }
  await cp(join(ROOT, 'main', 'packaging'), join(folder, 'main', 'packaging'), { recursive: true });
  await linkTree(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [path, content] of Object.entries(STAND_INS)) {
    await write(join(folder, path), content, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  for (const path of LEFT_BEHIND) await write(join(folder, path), 'left behind\n');
  await node(['dist/main/packaging/make-icons.js'], { cwd: folder });
}

/**
 * The same files at a second place. A symbolic link to the folder would not do: which packages npm finds through one depends on
 * what it noted about them earlier, and the builder packs nothing from outside of the project if that lies where temporary
 * files do.
 */
async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await link(source, target).catch(() => copyFile(source, target));
  }
}

/** A folder of Electron's as the builder expects it, with fuses as they are delivered, and no program in it. */
async function standInForElectron(folder: string): Promise<void> {
  const files = ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox', 'chrome_crashpad_handler', 'resources/default'];
  for (const path of [...files, 'locales/de.pak', 'locales/en-US.pak']) await write(join(folder, path), 'a stand-in\n');
  await write(join(folder, 'version'), '45.4.1');
  await write(join(folder, 'electron'), `\u007fELF a stand-in ${FUSES}`);
}

/** Notes what it is asked for, beside itself, and what the entry of the menu says. */
async function standInForFpm(path: string): Promise<void> {
  const lines = [
    '#!/bin/sh',
    `printf '%s\\n' "$@" > '${path}.arguments'`,
    `for one in "$@"; do case $one in *.desktop=*) cp "\${one%%=*}" '${path}.desktop';; esac; done`,
  ];
  await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o755 });
}

async function write(path: string, content: string, flag: 'w' | 'wx' = 'w'): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { flag });
}
