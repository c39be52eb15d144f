import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appOfFolder } from '../support/app-of-folder.ts';
import { OWNER } from '../support/household.ts';
import { type SetUp, setUpFolder } from '../support/set-up-folder.ts';
import {
  clickMenu,
  closeWindow,
  isAlive,
  logOf,
  programs,
  serverPid,
  settingsFile,
  trayOf,
  windowCount,
} from './application.ts';
import { type Desktop, isStandIn, type LaunchOptions, launchDesktop, newHome, type StandIn } from './launch.ts';
import { answerDialog, ask, askToServe, running, serveFolder, stateOf } from './window-page.ts';

let home: string;
let folder: string;
let removeHome: () => Promise<void>;
let desktops: Desktop[];

beforeEach(async () => {
  ({ home, remove: removeHome } = await newHome());
  folder = join(home, 'larder');
  desktops = [];
});
afterEach(async () => {
  for (const desktop of desktops) await desktop.kill();
  await removeHome();
});

async function launch(options: Partial<LaunchOptions> = {}): Promise<Desktop> {
  const desktop = await launchDesktop({ home, ...options });
  desktops.push(desktop);
  return desktop;
}

/** One that serves a folder with an owner and an app. */
async function launchServing(options: Partial<LaunchOptions> = {}) {
  const client = await setUpFolder(folder);
  const desktop = await launch(options);
  const page = await desktop.window();
  const addresses = await serveFolder(desktop, page, folder);
  return { desktop, page, addresses, client };
}

const signIn = (addresses: readonly string[], client: SetUp) =>
  appOfFolder(folder, Number(new URL(addresses[0] ?? '').port), client);

const failed = async (page: Awaited<ReturnType<Desktop['window']>>) => {
  await expect.poll(async () => (await stateOf(page)).server.kind).toBe('failed');
  const { server } = await stateOf(page);
  if (server.kind !== 'failed') throw new Error('it has changed meanwhile');
  return server;
};

describe('the first start', () => {
  it('suggests a folder, serves it once it is chosen, and from then on by itself', async () => {
    const desktop = await launch();
    const page = await desktop.window();
    expect(await stateOf(page)).toMatchObject({ folder: null, server: { kind: 'stopped' }, startsAtLogin: null });
    expect(await ask(page, 'desktop.start')).toMatchObject({ failure: { code: 'refused' } });
    const { output: suggested } = (await ask(page, 'desktop.suggestFolder')) as { output: { folder: string } };
    expect(suggested).toMatchObject({ kind: 'new', problem: null, freeBytes: expect.any(Number) });
    expect(suggested.folder).toBe(join(home, 'Larder'));
    await expect(stat(suggested.folder)).rejects.toThrow();
    expect(await ask(page, 'desktop.useFolder', { folder: suggested.folder })).toHaveProperty('output');
    const addresses = await running(page);
    expect(addresses.at(-1)).toMatch(/^https:\/\/localhost:\d+$/);
    expect(await ask(page, 'status')).toMatchObject({ output: { folder: suggested.folder, hasOwner: false } });
    const owner = { owner: 'ann', password: 'correct horse battery staple', enableApi: true };
    expect(await ask(page, 'setup', owner)).toMatchObject({ output: { username: 'ann', apiEnabled: true } });
    await clickMenu(desktop, 'app.quit');
    expect(await desktop.exited).toBe(0);
    const again = await launch();
    await running(await again.window());
    expect(JSON.parse(await readFile(settingsFile(home), 'utf8'))).toMatchObject({
      folder: suggested.folder,
      hasRun: true,
    });
  });

  it("asks for a folder in the system's own dialog, says what it is, and does nothing with it", async () => {
    const desktop = await launch();
    const page = await desktop.window();
    const choose = async (path: string | null) => {
      await answerDialog(desktop, path);
      return ask(page, 'desktop.chooseFolder');
    };
    expect(await choose(null)).toEqual({ output: null });
    await mkdir(join(home, 'empty'));
    await writeFile(join(home, 'empty', '.DS_Store'), '');
    await mkdir(join(home, 'photos'));
    await writeFile(join(home, 'photos', 'one.jpg'), '');
    await setUpFolder(folder);
    await writeFile(join(home, 'file'), '');
    const kinds = { empty: 'empty', photos: 'files', larder: 'larder', 'not/there/yet': 'new', file: 'unusable' };
    for (const [name, kind] of Object.entries(kinds)) {
      expect([name, await choose(join(home, name))]).toMatchObject([
        name,
        { output: { folder: join(home, name), kind } },
      ]);
    }
    expect(await choose(join(home, 'file', 'within'))).toMatchObject({
      output: { kind: 'unusable', problem: expect.any(String) },
    });
    expect(await ask(page, 'desktop.useFolder', { folder: join(home, 'file') })).toMatchObject({
      failure: { code: 'refused' },
    });
    expect(await ask(page, 'desktop.useFolder', { folder: 'relative' })).toMatchObject({
      failure: { code: 'refused' },
    });
    expect(await stateOf(page)).toMatchObject({ folder: null, server: { kind: 'stopped' } });
    expect(await readdir(join(home, 'photos'))).toEqual(['one.jpg']);
    await expect(stat(join(home, 'not'))).rejects.toThrow();
  });

  it('serves no folder that nobody was offered, and none that is copied to a cloud while it is written', async () => {
    const desktop = await launch();
    const page = await desktop.window();
    const secret = join(home, 'secret');
    expect(await ask(page, 'desktop.useFolder', { folder: secret })).toMatchObject({ failure: { code: 'refused' } });
    for (const cloud of ['OneDrive', 'OneDrive - Fern', 'Dropbox', 'Mobile Documents']) {
      const reply = await askToServe(desktop, page, join(home, cloud, 'Larder'));
      expect(reply, cloud).toMatchObject({ failure: { error: expect.stringContaining('Choose a folder outside') } });
    }
    expect((await readdir(home)).filter((name) => !name.startsWith('.'))).toEqual(['Documents', 'tmp']);
  });

  it('takes a file of settings that is damaged for none, and forgets nothing that is in the folder', async () => {
    const { desktop } = await launchServing();
    await desktop.evaluate(({ app }) => app.quit(), null).catch(() => undefined);
    await desktop.exited;
    for (const damaged of ['{"folder":', '[]', '{"folder":7,"port":"x"}']) {
      await writeFile(settingsFile(home), damaged);
      const again = await launch();
      const page = await again.window();
      expect(await stateOf(page)).toMatchObject({ folder: null, port: null });
      await again.kill();
    }
    const last = await launch();
    const page = await last.window();
    await serveFolder(last, page, folder);
    expect(await ask(page, 'status')).toMatchObject({ output: { hasOwner: true } });
  }, 60_000);
});

describe('a start that fails', () => {
  it('says that the folder is not there, makes none in its place, and starts when it is back', async () => {
    const { desktop } = await launchServing();
    await desktop.evaluate(({ app }) => app.quit(), null).catch(() => undefined);
    await desktop.exited;
    await rename(folder, `${folder} away`);
    await mkdir(folder);
    const again = await launch();
    const page = await again.window();
    const { failure, retryIn } = await failed(page);
    expect(failure).toMatchObject({ reason: 'missing', message: expect.stringContaining('is not there') });
    expect(retryIn).toBeNull();
    expect(await readdir(folder)).toEqual([]);
    expect((await trayOf(again))?.image ?? 'stopped-dark-on-light.png').toBe('stopped-dark-on-light.png');
    await rm(folder, { recursive: true });
    await rename(`${folder} away`, folder);
    await running(page);
    expect(await ask(page, 'status')).toMatchObject({ output: { hasOwner: true } });
  }, 60_000);

  it('says that the port is taken, and takes another one', async () => {
    const taker = createServer().listen(0, '127.0.0.1');
    await expect.poll(() => taker.address()).not.toBeNull();
    const { port } = taker.address() as { port: number };
    try {
      await setUpFolder(folder);
      const desktop = await launch({ env: { LARDER_PORT: String(port) } });
      const page = await desktop.window();
      await askToServe(desktop, page, folder);
      expect((await failed(page)).failure).toMatchObject({
        reason: 'port',
        message: expect.stringContaining(String(port)),
      });
      const free = createServer().listen(0, '127.0.0.1');
      await expect.poll(() => free.address()).not.toBeNull();
      const { port: other } = free.address() as { port: number };
      await new Promise((resolve) => free.close(resolve));
      expect(await ask(page, 'desktop.set', { port: other })).toMatchObject({ output: { port: other } });
      expect((await running(page)).at(-1)).toBe(`https://localhost:${other}`);
    } finally {
      taker.close();
    }
  });

  it('says that another one has the folder, and opens the folder of the log that is there', async () => {
    const { desktop: first } = await launchServing();
    const other = await newHome();
    try {
      const desktop = await launch({ home: other.home });
      const page = await desktop.window();
      await askToServe(desktop, page, folder);
      expect((await failed(page)).failure.reason).toBe('in_use');
      await desktop.evaluate(({ shell }) => {
        const shown: string[] = [];
        Object.assign(globalThis, { shown });
        shell.openPath = async (path) => {
          shown.push(path);
          return '';
        };
      }, null);
      expect(await ask(page, 'desktop.openLogs')).toHaveProperty('output');
      expect(await ask(page, 'desktop.openFolder')).toHaveProperty('output');
      const shown = await desktop.evaluate(() => (globalThis as unknown as { shown: string[] }).shown, null);
      expect(shown).toEqual([join(folder, '.larder', 'logs'), folder]);
      await desktop.kill();
      expect((await stateOf(await first.window())).server.kind).toBe('running');
    } finally {
      await other.remove();
    }
  });
});

/** An upload whose last byte comes when the test says so. */
function heldUpload() {
  const part = Buffer.alloc(1024 * 1024, 7);
  let [begin, finish] = [() => {}, () => {}];
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  async function* parts() {
    yield part;
    begin();
    await finished;
    yield part;
  }
  const headers = { 'content-length': String(2 * part.length) };
  return { body: Readable.from(parts()), headers, begun, finish: () => finish() };
}

describe('settings that cannot be written', () => {
  it('keep nothing from running, and nothing from ending', async () => {
    await setUpFolder(folder);
    const desktop = await launch();
    const page = await desktop.window();
    await askToServe(desktop, page, folder);
    // In the place of the file that takes the place of the old one.
    await mkdir(`${settingsFile(home)}.new`);
    await running(page);
    await expect.poll(() => ask(page, 'status')).toMatchObject({ output: { running: true } });
    expect(await ask(page, 'desktop.set', { keepsAwake: true })).toMatchObject({ failure: { code: 'refused' } });
    await closeWindow(desktop);
    await expect.poll(() => windowCount(desktop)).toBe(0);
    await clickMenu(desktop, 'app.quit');
    expect(await desktop.exited).toBe(0);
  });
});

describe('what is asked at the same time', () => {
  it('ends with the folder being served that is shown and remembered', async () => {
    const { desktop, page } = await launchServing();
    const other = join(home, 'other');
    await answerDialog(desktop, other);
    await ask(page, 'desktop.chooseFolder');
    await Promise.all([
      ask(page, 'desktop.useFolder', { folder: other }),
      ask(page, 'desktop.start'),
      ask(page, 'desktop.pause'),
      ask(page, 'desktop.start'),
    ]);
    await running(page);
    expect(await ask(page, 'status')).toMatchObject({ output: { folder: other } });
    expect(await stateOf(page)).toMatchObject({ folder: other });
    await expect
      .poll(() => readFile(settingsFile(home), 'utf8').then(JSON.parse))
      .toMatchObject({ folder: other, hasRun: true });
  });

  it('starts nothing any more while it quits, and begins anew when somebody wants it meanwhile', async () => {
    const { desktop, page, addresses, client } = await launchServing();
    const api = await signIn(addresses, client);
    await api.get('files/browse', { path: '/ROOT/HOME' });
    // It lasts as long as it has to: what quits waits for it.
    const upload = heldUpload();
    const sent = api.put({ path: '/ROOT/HOME/large.bin' }, upload.body, upload.headers);
    await upload.begun;
    await desktop.evaluate(({ app }) => {
      app.on('quit', () =>
        process.send?.({ isRelaunched: (app as unknown as { isRelaunched: boolean }).isRelaunched }),
      );
    }, null);
    const told = new Promise((resolve) => {
      desktop.process.on('message', (message) => {
        if (typeof message === 'object' && message !== null && 'isRelaunched' in message) resolve(message.isRelaunched);
      });
    });
    await clickMenu(desktop, 'app.quit');
    expect(await ask(page, 'desktop.start')).toMatchObject({ output: { server: { kind: 'stopping' } } });
    const second = await launch();
    expect(await second.exited).toBe(0);
    upload.finish();
    expect((await sent).status).toBe(201);
    if (isStandIn) expect(await told).toBe(true);
    expect(await desktop.exited).toBe(0);
  });
});

describe('a server that dies', () => {
  it('is started again, and the window and the icon say so', async () => {
    const { desktop, page, client } = await launchServing();
    const pid = await serverPid(desktop);
    process.kill(pid, 'SIGKILL');
    expect((await failed(page)).retryIn).toBe(1_000);
    expect(await ask(page, 'status')).toMatchObject({ failure: { code: 'refused' } });
    expect((await trayOf(desktop))?.toolTip ?? 'needs attention').toContain('needs attention');
    const api = await signIn(await running(page), client);
    expect((await api.get('files/browse', { path: '/ROOT/HOME' })).status).toBe(200);
    expect(await ask(page, 'status')).toMatchObject({ output: { running: true } });
    expect(await logOf(home)).toMatch(/the server ended by itself: .*\d/);
    expect((await trayOf(desktop))?.image ?? 'running-dark-on-light.png').toBe('running-dark-on-light.png');
  });

  it('ends by itself when the application is killed', async () => {
    const { desktop, page } = await launchServing();
    const pid = await serverPid(desktop);
    await desktop.kill();
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect(page.title()).rejects.toThrow();
    // And leaves nothing that keeps the next one from starting.
    const again = await launch();
    await running(await again.window());
  });
});

describe('quitting', () => {
  it('lets an upload finish, and says meanwhile what it waits for', async () => {
    const { desktop, page, addresses, client } = await launchServing();
    const api = await signIn(addresses, client);
    await api.get('files/browse', { path: '/ROOT/HOME' });
    const sent = api.put({ path: '/ROOT/HOME/large.bin' }, Buffer.alloc(96 * 1024 * 1024, 7));
    const incoming = join(folder, '.larder', 'incoming');
    const isUnderWay = async () => {
      const found = await Promise.all((await readdir(incoming)).map((name) => stat(join(incoming, name))));
      return found.some((one) => one.isFile() && one.size > 0);
    };
    await expect.poll(() => isUnderWay().catch(() => false), { interval: 2 }).toBe(true);
    await clickMenu(desktop, 'app.quit');
    expect((await stateOf(page)).server.kind).toBe('stopping');
    expect((await sent).status).toBe(201);
    expect(await desktop.exited).toBe(0);
    expect((await stat(join(folder, 'homes', OWNER.username, 'large.bin'))).size).toBe(96 * 1024 * 1024);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('on %s stops the server as it should', async (signal) => {
    const { desktop } = await launchServing();
    const pid = await serverPid(desktop);
    desktop.process.kill(signal);
    expect(await desktop.exited).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(await readFile(join(folder, '.larder', 'logs', 'larder.log'), 'utf8')).toContain('"stopped"');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'lets an upload finish when %s comes to all of its processes',
    async (signal) => {
      const { desktop, addresses, client } = await launchServing();
      const api = await signIn(addresses, client);
      await api.get('files/browse', { path: '/ROOT/HOME' });
      const sent = api.put({ path: '/ROOT/HOME/large.bin' }, Buffer.alloc(96 * 1024 * 1024, 7));
      const incoming = join(folder, '.larder', 'incoming');
      await expect
        .poll(
          () =>
            readdir(incoming)
              .then((names) => names.length)
              .catch(() => 0),
          { interval: 2 },
        )
        .toBeGreaterThan(0);
      const pid = await serverPid(desktop);
      process.kill(pid, signal);
      desktop.process.kill(signal);
      expect((await sent).status).toBe(201);
      expect(await desktop.exited).toBe(0);
      expect(await readFile(join(folder, '.larder', 'logs', 'larder.log'), 'utf8')).toContain('"stopped"');
    },
  );

  it('when the computer shuts down holds that up for as long as it takes', async () => {
    const { desktop } = await launchServing();
    const isHeldUp = await desktop.evaluate(({ powerMonitor }) => {
      const event = { isHeldUp: false, preventDefault: () => Object.assign(event, { isHeldUp: true }) };
      (powerMonitor as unknown as NodeJS.EventEmitter).emit('shutdown', event);
      return event.isHeldUp;
    }, null);
    expect(isHeldUp).toBe(true);
    expect(await desktop.exited).toBe(0);
  });
});

describe('the window', () => {
  it('may be closed while the household goes on, and comes back by the icon, the menu and a second start', async () => {
    const { desktop, addresses, client } = await launchServing();
    const api = await signIn(addresses, client);
    await closeWindow(desktop);
    await expect.poll(() => windowCount(desktop)).toBe(0);
    expect((await api.get('files/browse', { path: '/ROOT/HOME' })).status).toBe(200);
    if (isStandIn) {
      const told = () =>
        desktop.evaluate(
          (electron) => (electron as unknown as StandIn).Notification.all.map(({ title }) => title),
          null,
        );
      expect(await told()).toEqual(['Larder goes on']);
    }
    await clickMenu(desktop, 'app.open');
    const page = await desktop.window();
    expect(await running(page)).toEqual(addresses);
    await closeWindow(desktop);
    await expect.poll(() => windowCount(desktop)).toBe(0);
    const second = await launch();
    expect(await second.exited).toBe(0);
    await expect.poll(() => windowCount(desktop)).toBe(1);
    expect((await stateOf(await desktop.window())).server.kind).toBe('running');
    // Once is enough.
    if (isStandIn)
      expect(await desktop.evaluate((electron) => (electron as unknown as StandIn).Notification.all.length, null)).toBe(
        1,
      );
  }, 60_000);

  it('does not come when the system starts the application, unless there is something to choose', async () => {
    const { desktop } = await launchServing();
    await desktop.evaluate(({ app }) => app.quit(), null).catch(() => undefined);
    await desktop.exited;
    const hidden = await launch({ args: ['--hidden'] });
    await serverPid(hidden);
    await expect.poll(() => trayOf(hidden).then((tray) => tray?.toolTip ?? 'Larder: Running')).toBe('Larder: Running');
    expect(await windowCount(hidden)).toBe(0);
    await hidden.kill();
    await rm(settingsFile(home));
    const chooses = await launch({ args: ['--hidden'] });
    expect(await stateOf(await chooses.window())).toMatchObject({ folder: null });
  }, 60_000);

  it('shows its page again after it has crashed', async () => {
    const { desktop, page } = await launchServing();
    await page.evaluate('window.before = true');
    await desktop.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    }, null);
    await expect.poll(() => page.evaluate('"before" in window').catch(() => true)).toBe(false);
    await running(page);
  });
});

describe('what can be done from the menus', () => {
  it('is to pause and to go on, to copy the address, and to say how things are', async () => {
    const { desktop, page, addresses, client } = await launchServing();
    const api = await signIn(addresses, client);
    expect(await trayOf(desktop)).toEqual(
      isStandIn
        ? {
            image: 'running-dark-on-light.png',
            toolTip: 'Larder: Running',
            labels: ['Running', '', 'Open Larder', 'Copy address', 'Pause', '', 'Show the log files', 'Quit Larder'],
          }
        : null,
    );
    await clickMenu(desktop, 'app.copyAddress');
    expect(await desktop.evaluate(({ clipboard }) => clipboard.readText(), null)).toBe(addresses[0]);
    await clickMenu(desktop, 'app.pause');
    await expect.poll(async () => (await stateOf(page)).server.kind).toBe('stopped');
    await expect(api.get('files/browse', { path: '/ROOT/HOME' })).rejects.toThrow();
    expect(await programs(desktop)).toEqual([]);
    expect(await clickMenu(desktop, 'app.copyAddress')).toBe(false);
    expect((await trayOf(desktop))?.image ?? 'paused-dark-on-light.png').toBe('paused-dark-on-light.png');
    await clickMenu(desktop, 'app.start');
    const back = await signIn(await running(page), client);
    expect((await back.get('files/browse', { path: '/ROOT/HOME' })).status).toBe(200);
    // A menu that is set anew closes under the hand of whoever has it open.
    if (isStandIn) {
      const sets = () => desktop.evaluate((electron) => (electron as unknown as StandIn).Tray.all[0]?.sets, null);
      const before = await sets();
      await ask(page, 'desktop.set', { keepsAwake: true });
      await ask(page, 'settings.update', { householdName: 'Orchard House' });
      await ask(page, 'status');
      expect(await sets()).toBe(before);
    }
    // Whoever changes their mind does not have to wait for the end.
    await ask(page, 'desktop.pause');
    expect(await ask(page, 'desktop.start')).toMatchObject({ output: { server: { kind: 'stopping' } } });
    await running(page);
  });

  it('keeps the computer awake while the server runs, when that is wanted', async () => {
    const { desktop, page } = await launchServing();
    await desktop.evaluate(({ powerSaveBlocker }) => {
      const kept = new Set<number>();
      Object.assign(globalThis, { kept });
      const { start, stop } = powerSaveBlocker;
      powerSaveBlocker.start = (type) => {
        const id = start.call(powerSaveBlocker, type);
        kept.add(id);
        return id;
      };
      powerSaveBlocker.stop = (id) => {
        kept.delete(id);
        return stop.call(powerSaveBlocker, id);
      };
    }, null);
    const kept = () => desktop.evaluate(() => (globalThis as unknown as { kept: Set<number> }).kept.size, null);
    expect(await kept()).toBe(0);
    expect(await ask(page, 'desktop.set', { keepsAwake: true })).toMatchObject({ output: { keepsAwake: true } });
    expect(await kept()).toBe(1);
    await ask(page, 'desktop.pause');
    await expect.poll(kept).toBe(0);
    await ask(page, 'desktop.start');
    await expect.poll(kept).toBe(1);
    await ask(page, 'desktop.set', { keepsAwake: false });
    expect(await kept()).toBe(0);
  });

  it('wakes what waited, after the computer has slept', async () => {
    const { desktop, page } = await launchServing();
    // Three deaths: the next start is four seconds away.
    for (let deaths = 0; deaths < 3; deaths++) {
      await running(page);
      process.kill(await serverPid(desktop), 'SIGKILL');
      await failed(page);
    }
    expect((await failed(page)).retryIn).toBe(4_000);
    await desktop.evaluate(
      ({ powerMonitor }) => void (powerMonitor as unknown as NodeJS.EventEmitter).emit('resume'),
      null,
    );
    expect((await stateOf(page)).server.kind).toBe('starting');
    await running(page);
  }, 60_000);
});

it('starts at login where it was installed, as the desktop of the system wants it', async () => {
  if (!isStandIn) return;
  await setUpFolder(folder);
  const desktop = await launch({ env: { STAND_IN_PACKAGED: '1', APPIMAGE: '/opt/My "Apps"/100%/Larder$.AppImage' } });
  const page = await desktop.window();
  const entry = join(home, '.config', 'autostart', 'larder.desktop');
  expect((await stateOf(page)).startsAtLogin).toBe(false);
  expect(await ask(page, 'desktop.set', { startsAtLogin: true })).toMatchObject({ output: { startsAtLogin: true } });
  expect(await readFile(entry, 'utf8')).toBe(`[Desktop Entry]
Type=Application
Name=Larder
Exec="/opt/My \\\\"Apps\\\\"/100%%/Larder\\\\$.AppImage" --hidden
Terminal=false
X-GNOME-Autostart-enabled=true
`);
  // Switched off by the desktop's own settings.
  await writeFile(entry, `${await readFile(entry, 'utf8')}Hidden=true\n`);
  expect((await stateOf(page)).startsAtLogin).toBe(false);
  await ask(page, 'desktop.set', { startsAtLogin: false });
  await expect(stat(entry)).rejects.toThrow();
});
