import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { extractAll, extractFile, getRawHeader } from '@electron/asar';
import { FuseState } from '@electron/fuses/dist/constants.js';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses/dist/index.js';
import { getConfig, validateConfiguration } from 'app-builder-lib/out/util/config/config.js';
import { DebugLogger } from 'builder-util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { importsOf } from '../architecture/checker.ts';
import { makePdf } from '../support/content/make-pdf.ts';
import { ALL_SCOPES, OWNER } from '../support/households/household.ts';
import { startServer } from '../support/households/server-process.ts';
import { ApiClient } from '../support/requests/api-client.ts';
import { fixture } from '../workers/thumbnail-support.ts';
import { node, type PackedProject, packProject, ROOT } from './packing.ts';

// What reads configurations would make a folder for what it compiles, of which there is nothing here.
vi.hoisted(() => {
  process.env.JITI_FS_CACHE = 'false';
});

interface Packed {
  readonly path: string;
  readonly size: number;
  readonly isUnpacked: boolean;
}

/** A package in the folder of packages that is nearest to a file. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

let project: PackedProject;
let packed: readonly Packed[];

beforeAll(async () => {
  project = await packProject();
  packed = filesOf(getRawHeader(project.archive).header);
});
afterAll(() => project?.remove());

interface Entry {
  readonly files?: Readonly<Record<string, Entry>>;
  readonly size?: number;
  readonly unpacked?: boolean;
}

function filesOf(entry: object, at = ''): Packed[] {
  const { files, size = 0, unpacked = false } = entry as Entry;
  if (files === undefined) return [{ path: at, size, isUnpacked: unpacked }];
  return Object.entries(files).flatMap(([name, one]) => filesOf(one, at === '' ? name : `${at}/${name}`));
}

const paths = () => packed.map(({ path }) => path);
const below = (folder: string) => paths().filter((path) => path.startsWith(`${folder}/`));
const withoutTypes = (path: string) => !/\.map$|\.d\.[cm]?ts$/.test(path);

function filesIn(folder: string): string[] {
  return readdirSync(join(project.folder, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => statSync(join(project.folder, path)).isFile());
}

describe('the configuration', () => {
  const log = new DebugLogger(false);

  it('is valid for the builder, which refuses unknown properties', async () => {
    const config = await getConfig(ROOT, null, null);
    expect(config.appId).toBe('household.larder.desktop');
    await validateConfiguration(config, log);
    const misspelt = { ...config, asarUnpak: ['**/*.node'] };
    await expect(validateConfiguration(misspelt, log)).rejects.toThrow("unknown property 'asarUnpak'");
  });

  it('has no publishing target, and states the packages for each system', async () => {
    const { publish, nsis, mac, linux, win } = await getConfig(ROOT, null, null);
    expect(publish).toBeNull();
    expect([win?.target, mac?.target, linux?.target]).toEqual(['nsis', 'dmg', ['AppImage', 'deb']]);
    expect(nsis).toMatchObject({ oneClick: true, perMachine: false, deleteAppDataOnUninstall: false });
    expect(mac).toMatchObject({ hardenedRuntime: true, category: 'public.app-category.utilities' });
    for (const icon of [win?.icon, mac?.icon, linux?.icon]) await stat(join(project.folder, String(icon)));
  });

  it('refuses to make packages for another system or processor', async () => {
    const other = process.arch === 'x64' ? 'arm64' : 'x64';
    const { code, output } = await project.builder(['--linux', 'dir', `--${other}`]);
    expect(code).not.toBe(0);
    expect(output).toContain(
      `A package for linux ${other} is made on such a computer; this one is linux ${process.arch}.`,
    );
  });
});

describe('a package', () => {
  it('is made without a download', async () => {
    expect(await readdir(project.downloads).catch(() => [])).toEqual([]);
  });

  it('contains the build, and nothing else of it', () => {
    const server = ['dist/bundle', 'dist/server/control/contract', 'dist/server/lib/messages'];
    const built = [...server, 'dist/main', 'dist/renderer', 'dist/web-client']
      .flatMap(filesIn)
      .concat('dist/server/larder.cjs')
      .filter(withoutTypes);
    const expected = built.filter((path) => !path.startsWith('dist/main/packaging/'));
    expect(expected.length).toBeLessThan(built.length);
    const known = ['server/larder.cjs', 'bundle/desktop.js', 'main/processes/server-process.js', 'renderer/index.html'];
    for (const path of [...known, 'web-client/manifest.json', 'web-client/viewer/manifest.json']) {
      expect(expected).toContain(`dist/${path}`);
    }
    expect(
      below('dist')
        .filter((path) => !path.startsWith('dist/icons/'))
        .sort(),
    ).toEqual(expected.sort());
    const icons = ['dist/icons/linux/512x512.png', ...filesIn('dist/icons/tray')];
    expect(icons).toHaveLength(1 + 24);
    expect(below('dist/icons').sort()).toEqual(icons.sort());
  });

  it('contains the assets of the product, its licence, and those of others', async () => {
    // What the icons are drawn from, what the panel has in it, and what is for servers without a desktop.
    const drawings = ['assets/shelves.svg', 'assets/tray.svg'];
    expect(below('assets').sort()).toEqual(
      filesIn('assets')
        .filter((path) => !drawings.includes(path) && !path.startsWith('assets/nas/'))
        .sort(),
    );
    expect(paths().filter((path) => !/^(assets|dist|node_modules)\//.test(path))).toEqual(['LICENSE', 'package.json']);
    const own = JSON.parse(extractFile(project.archive, 'package.json').toString());
    expect(own).toMatchObject({ main: 'dist/main/main.js', desktopName: 'larder-desktop.desktop' });
    expect(own).not.toHaveProperty('devDependencies');
    for (const name of ['sqlite3', 'libheif-js', 'pdfjs-dist', 'express']) {
      expect(paths()).toContain(`node_modules/${name}/LICENSE`);
    }
    expect(paths()).toContain('node_modules/pdfjs-dist/standard_fonts/LICENSE_LIBERATION');
    const installed = await readdir(project.installed);
    expect(installed).toEqual(expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html']));
    expect(await readdir(join(project.installed, 'locales'))).toEqual(['en-US.pak']);
  });

  it('contains no sources, maps, types, tests or documents of packages', () => {
    const unwanted = [
      /\.(map|tsbuildinfo|tsx?|[cm]ts|flow|c|cc|cpp|h|hpp|gypi?|mk|o|a|py|sh|bat|cmd)$/,
      /(^|\/)\.[^/]*$/,
      /node_modules\/(@[^/]*\/)?[^/]*\/(tests?|__tests__|docs|demo|examples?|bench(marks?)?|coverage|fixtures)\//,
      /(^|\/)(README|CHANGELOG|HISTORY)[^/]*$/i,
      /(^|\/)(Makefile|binding\.gyp)$/,
    ];
    expect(paths().filter((path) => unwanted.some((one) => one.test(path)))).toEqual([]);
  });

  it('contains only the packages that it needs, for this system only', async () => {
    const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version?: string; dev?: boolean }>;
    };
    const installed = new Set(
      Object.entries(packages)
        .filter(([, { dev }]) => dev !== true)
        .map(([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`),
    );
    const names = [...new Set(below('node_modules').map((path) => PACKAGE.exec(path)?.[0] ?? path))];
    expect(names.length).toBeGreaterThan(100);
    const versionOf = (name: string) =>
      JSON.parse(extractFile(project.archive, `${name}/package.json`).toString()).version;
    const known = (name: string) => installed.has(`${name.split('node_modules/').at(-1)} ${versionOf(name)}`);
    expect(names.filter((name) => !known(name))).toEqual([]);
    const other = ['win32', 'darwin', 'freebsd', 'android', 'musl', 'x64', 'arm', 'ia32', 'riscv64', 's390x', 'ppc64'];
    const others = new RegExp(other.filter((one) => !process.arch.startsWith(one)).join('|'));
    expect(names.filter((name) => others.test(name))).toEqual([]);
    for (const name of ['electron', 'node-gyp', 'node-addon-api', 'prebuild-install', '@napi-rs/canvas', 'sharp/src']) {
      expect(below(`node_modules/${name}`)).toEqual([]);
    }
  });

  it('contains only the used files of the database driver and of pdf.js', () => {
    expect(below('node_modules/sqlite3/build')).toEqual(['node_modules/sqlite3/build/Release/node_sqlite3.node']);
    expect(below('node_modules/sqlite3/lib').length).toBeGreaterThan(1);
    const pdf = below('node_modules/pdfjs-dist').map((path) => path.slice('node_modules/pdfjs-dist/'.length));
    expect(pdf.filter((path) => !/^(cmaps|standard_fonts|iccs)\/|LICENSE/.test(path)).sort()).toEqual([
      ...['legacy/build/pdf.min.mjs', 'legacy/build/pdf.worker.min.mjs', 'package.json'],
      ...['wasm/jbig2.wasm', 'wasm/openjpeg.wasm', 'wasm/qcms_bg.wasm'],
    ]);
  });

  it('has only the native libraries for this system outside of its archive', () => {
    const outside = packed.filter(({ isUnpacked }) => isUnpacked).map(({ path }) => path);
    expect(outside.sort()).toEqual(
      paths()
        .filter((path) => /\.(node|dll|dylib|so)$|\.so\.[\d.]+$/.test(path))
        .sort(),
    );
    expect(outside).toHaveLength(4);
    const own = readFileSync(process.execPath).subarray(0, 20);
    for (const path of outside) {
      const start = readFileSync(join(`${project.archive}.unpacked`, path)).subarray(0, 20);
      expect([start.subarray(0, 6), start.readUInt16LE(18)], path).toEqual([own.subarray(0, 6), own.readUInt16LE(18)]);
    }
  });

  it('is below its size limit', () => {
    const megabytes = packed.reduce((sum, { size }) => sum + size, 0) / 1e6;
    expect(megabytes).toBeGreaterThan(60);
    expect(megabytes).toBeLessThan(105);
  });

  it('contains an executable that runs only Larder', async () => {
    const { version: _, ...wire } = await getCurrentFuseWire(project.executable);
    const off = FuseState.DISABLE;
    const on = FuseState.ENABLE;
    expect(wire).toEqual({
      [FuseV1Options.RunAsNode]: off,
      [FuseV1Options.EnableCookieEncryption]: off,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: off,
      [FuseV1Options.EnableNodeCliInspectArguments]: off,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: on,
      [FuseV1Options.OnlyLoadAppFromAsar]: on,
      [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: off,
      [FuseV1Options.GrantFileProtocolExtraPrivileges]: off,
      // One that came after the builder, as it was delivered.
      8: on,
    });
  });
});

describe('the content of a package', () => {
  let app: string;
  let folder: string;
  let larder: string;

  beforeAll(() => {
    app = join(project.base, 'application');
    folder = join(project.base, 'household');
    larder = join(app, 'dist', 'server', 'larder.cjs');
    extractAll(project.archive, app);
  });

  const run = async (args: readonly string[], input = '') => {
    const { code, output } = await node([larder, ...args], { cwd: app, input });
    expect(code, output).toBe(0);
    return output;
  };

  it('includes every package that it imports', async () => {
    // The names are in the modules that the programs are bundled from.
    const sources = ['dist/server', 'dist/main'].flatMap(filesIn).filter((path) => /\.c?js$/.test(path));
    const ours = sources.filter((path) => !path.startsWith('dist/main/packaging/') && !path.endsWith('vite.config.js'));
    const named = ours.flatMap((path) => importsOf(readFileSync(join(ROOT, path), 'utf8')));
    const packages = [...new Set(named)].filter((name) => !/^(\.|node:|electron(\/|$))/.test(name));
    expect(packages).toEqual(
      expect.arrayContaining(['sharp', 'sequelize', 'unpdf', 'libheif-js/libheif-wasm/libheif-bundle.js']),
    );
    const script = `for (const name of process.argv.slice(1)) {
      // What is data is there all the same.
      await import(name).catch((error) => { if (error.code !== 'ERR_IMPORT_ASSERTION_TYPE_MISSING') throw error; });
    }`;
    const { code, output } = await node(['--input-type=module', '--eval', script, '--', ...packages], { cwd: app });
    expect([code, output]).toEqual([0, '']);
  });

  it('includes the licences of all its packages', async () => {
    await run(['setup', '--owner', OWNER.username, '--password-stdin', '--folder', folder], `${OWNER.password}\n`);
    const { packages } = JSON.parse(await run(['control', 'about.get', '{}', '--folder', folder, '--json'])) as {
      packages: Record<'name' | 'version' | 'part', string>[];
    };
    const told = new Set(packages.filter(({ part }) => part === 'server').map(({ name }) => name));
    const names = [...new Set(below('node_modules').map((path) => PACKAGE.exec(path)?.[0] ?? path))];
    const inArchive = new Set(names.map((name) => name.split('node_modules/').at(-1) ?? name));
    expect([...told].sort()).toEqual([...inArchive].sort());
    expect(packages.filter(({ part }) => part === 'panel').map(({ name }) => name)).toContain('@mantine/core');
    const { version } = packages.find(({ name }) => name === 'express') ?? {};
    const asked = JSON.stringify({ name: 'express', version, part: 'server' });
    const { text } = JSON.parse(await run(['control', 'about.licence', asked, '--folder', folder, '--json']));
    expect(text).toContain('Permission is hereby granted');
    await rm(folder, { recursive: true });
  });

  it('is a server with all functions', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    expect((await run(['--version'])).trim()).toBe(version);
    const here = ['--folder', folder, '--json'];
    await run(['setup', '--owner', OWNER.username, '--password-stdin', '--enable-api', ...here], `${OWNER.password}\n`);
    const client = JSON.parse(await run(['control', 'clients.add', '{"name":"Tests"}', ...here]));
    for (const images of ['native', 'wasm']) {
      const { child, port } = await startServer(folder, { program: larder, under: ['env', `LARDER_IMAGES=${images}`] });
      try {
        const ca = await readFile(join(folder, '.larder', 'tls', 'ca.crt'), 'utf8');
        const form = { grant_type: 'password', ...OWNER, scope: ALL_SCOPES };
        const secrets = { client_id: client.clientId, client_secret: client.clientSecret };
        const { body } = await new ApiClient({ port, ca }).token({ ...form, ...secrets });
        const api = new ApiClient({ port, ca, token: body.access_token });
        for (const name of ['plain.jpg', 'telephone.heic', 'drawing.svg', 'page.pdf']) {
          const content = name === 'page.pdf' ? makePdf([['Words']]) : await readFile(fixture(`pictures/${name}`));
          const path = `/ROOT/HOME/${images}-${name}`;
          expect((await api.put({ path }, content)).status).toBe(201);
          const { status, headers } = await api.get('files/thumbnail', { path });
          expect([name, status, headers['content-type']]).toEqual([name, 200, 'image/jpeg']);
        }
        const viewer = ['pdf.min.mjs', 'pdf.worker.min.mjs', 'markdown-it.mjs'];
        const parts = ['jbig2', 'openjpeg', 'qcms_bg'].map((name) => `wasm/${name}.wasm`);
        const more = [...parts, 'cmaps/UniJIS-UTF16-H.bcmap', 'standard_fonts/LiberationSans-Regular.ttf'];
        for (const name of [...viewer, ...more]) {
          expect([name, (await api.send('GET', `/assets/viewer/${name}`)).status]).toEqual([name, 200]);
        }
        // All that the household's pages load.
        const built = filesIn('dist/web-client').map((path) => path.replace('dist/web-client/', ''));
        expect(built.length).toBeGreaterThan(20);
        for (const name of [...built.filter((path) => !path.endsWith('manifest.json')), 'app-icon.svg']) {
          expect([name, (await api.send('GET', `/assets/${name}`)).status]).toEqual([name, 200]);
        }
      } finally {
        child.kill();
        await once(child, 'exit');
      }
    }
  });
});

describe('a Debian package', () => {
  it('installs a menu entry, icons in all sizes, and the command line on the path', async () => {
    expect(project.desktopEntry.trimEnd().split('\n')).toEqual(
      expect.arrayContaining([
        ...['[Desktop Entry]', 'Name=Larder', 'Type=Application', 'Terminal=false', 'Icon=larder-desktop'],
        ...['Exec=/opt/Larder/larder-desktop %U', 'StartupWMClass=larder-desktop', 'Categories=Network;FileTransfer;'],
      ]),
    );
    const targets = new Map(
      project.debian.filter((one) => one.includes('=/')).map((one) => one.split('=').reverse() as [string, string]),
    );
    const icon = (size: string) =>
      `/usr/share/icons/hicolor/${size}/apps/larder-desktop.${size === 'scalable' ? 'svg' : 'png'}`;
    for (const size of [16, 24, 32, 48, 64, 128, 256, 512].map((one) => `${one}x${one}`)) {
      expect(targets.get(icon(size))).toMatch(new RegExp(`/${size}\\.png$`));
    }
    for (const target of [icon('scalable'), '/usr/bin/larder']) {
      expect((await stat(join(project.folder, targets.get(target) ?? 'nothing'))).isFile(), target).toBe(true);
    }
    expect(targets.get('/opt/Larder')).toBe(`${project.installed}/`);
    const command = join(project.folder, targets.get('/usr/bin/larder') ?? '');
    expect((await stat(command)).mode & 0o111).toBe(0o111);
    expect(await readFile(command, 'utf8')).toMatch(
      /\nexec \/opt\/Larder\/larder-desktop --ozone-platform=headless --disable-gpu --no-sandbox --cli "\$@"\n$/,
    );
  });

  it('depends on what Electron needs', () => {
    const valuesOf = (flag: string) =>
      project.debian.flatMap((one, index) => (one === flag ? [project.debian[index + 1]] : []));
    expect(valuesOf('--name')).toEqual(['larder']);
    expect(valuesOf('--deb-recommends')).toEqual(['ffmpeg']);
    expect(valuesOf('-d')).toEqual(expect.arrayContaining(['libgtk-3-0', 'libnss3', 'libgbm1', 'libasound2']));
  });
});
