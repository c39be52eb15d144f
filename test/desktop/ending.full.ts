import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OWNER } from '../support/households/household.ts';
import { setUpFolder } from '../support/households/set-up-folder.ts';
import { holdBody } from '../support/requests/held-body.ts';
import {
  clickMenu,
  closeWindow,
  isAlive,
  programs,
  serverPid,
  settingsFile,
  trayOf,
  windowCount,
} from './application.ts';
import { applicationText } from './application-texts.ts';
import { isStandIn, type StandIn } from './launch.ts';
import { allowStarts, openStage, preventStarts, type Stage, watchFailures } from './stage.ts';
import { ask, running, stateOf } from './window-page.ts';

const RUNNING = applicationText('app.tooltip', { status: applicationText('app.status', { state: 'running' }) });

const LARGE = Buffer.alloc(8 * 1024 * 1024, 7);

let stage: Stage;
let home: string;
let folder: string;

beforeEach(async () => {
  stage = await openStage();
  ({ home, folder } = stage);
});
afterEach(() => stage.close());

const launch: Stage['launch'] = (options) => stage.launch(options);
const launchServing: Stage['launchServing'] = (options) => stage.launchServing(options);
const signIn: Stage['signIn'] = (addresses, client) => stage.signIn(addresses, client);

describe('quitting', () => {
  it('lets an upload finish, and shows meanwhile what it waits for', async () => {
    const { desktop, page, addresses, client } = await launchServing();
    const api = await signIn(addresses, client);
    await api.get('files/browse', { path: '/ROOT/HOME' });
    const held = holdBody(LARGE);
    const sent = api.put({ path: '/ROOT/HOME/large.bin' }, held.body, held.headers);
    const incoming = join(folder, '.larder', 'incoming');
    const isUnderWay = async () => {
      const found = await Promise.all((await readdir(incoming)).map((name) => stat(join(incoming, name))));
      return found.some((one) => one.isFile() && one.size > 0);
    };
    await expect.poll(() => isUnderWay().catch(() => false)).toBe(true);
    await clickMenu(desktop, 'app.quit');
    expect((await stateOf(page)).server.kind).toBe('stopping');
    held.release();
    expect((await sent).status).toBe(201);
    expect(await desktop.exited).toBe(0);
    expect((await stat(join(folder, 'homes', OWNER.username, 'large.bin'))).size).toBe(LARGE.length);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('on %s stops the server properly', async (signal) => {
    const { desktop } = await launchServing();
    const pid = await serverPid(desktop);
    desktop.process.kill(signal);
    expect(await desktop.exited).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(await readFile(join(folder, '.larder', 'logs', 'larder.log'), 'utf8')).toContain('"stopped"');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'lets an upload finish if %s reaches all of its processes',
    async (signal) => {
      const { desktop, addresses, client } = await launchServing();
      const api = await signIn(addresses, client);
      await api.get('files/browse', { path: '/ROOT/HOME' });
      const held = holdBody(LARGE);
      const sent = api.put({ path: '/ROOT/HOME/large.bin' }, held.body, held.headers);
      const incoming = join(folder, '.larder', 'incoming');
      await expect
        .poll(() =>
          readdir(incoming)
            .then((names) => names.length)
            .catch(() => 0),
        )
        .toBeGreaterThan(0);
      const pid = await serverPid(desktop);
      process.kill(pid, signal);
      desktop.process.kill(signal);
      // The server has been told once it takes no new connections.
      await expect.poll(() => api.get('files/browse', { path: '/ROOT/HOME' }).catch(() => null)).toBeNull();
      held.release();
      expect((await sent).status).toBe(201);
      expect(await desktop.exited).toBe(0);
      expect(await readFile(join(folder, '.larder', 'logs', 'larder.log'), 'utf8')).toContain('"stopped"');
    },
  );

  it('at a shutdown of the computer delays that as long as necessary', async () => {
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
  it('can be closed while the server runs, and is reopened by the icon, the menu and a second start', async () => {
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
      expect(await told()).toEqual([applicationText('notification.stillRunning.title')]);
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
  });

  it('stays closed if the system starts the application, unless a choice is needed', async () => {
    const { desktop } = await launchServing();
    await desktop.evaluate(({ app }) => app.quit(), null).catch(() => undefined);
    await desktop.exited;
    const hidden = await launch({ args: ['--hidden'] });
    await serverPid(hidden);
    await expect.poll(() => trayOf(hidden).then((tray) => tray?.toolTip ?? RUNNING)).toBe(RUNNING);
    expect(await windowCount(hidden)).toBe(0);
    await hidden.kill();
    await rm(settingsFile(home));
    const chooses = await launch({ args: ['--hidden'] });
    expect(await stateOf(await chooses.window())).toMatchObject({ folder: null });
  });

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

describe('the running application', () => {
  it('can be paused and resumed by the menus, which copy its address and show its state', async () => {
    const { desktop, page, addresses, client } = await launchServing();
    const api = await signIn(addresses, client);
    expect(await trayOf(desktop)).toEqual(
      isStandIn
        ? {
            image: 'running-dark-on-light.png',
            toolTip: RUNNING,
            labels: [
              applicationText('app.status', { state: 'running' }),
              '',
              applicationText('menu.open'),
              applicationText('menu.copyAddress'),
              applicationText('menu.pause'),
              '',
              applicationText('menu.openLogs'),
              applicationText('menu.quit'),
            ],
          }
        : null,
    );
    await clickMenu(desktop, 'app.copyAddress');
    // Copying takes a call to the main process.
    await expect.poll(() => desktop.evaluate(({ clipboard }) => clipboard.readText(), null)).toBe(addresses[0]);
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

  it('keeps the computer awake while the server runs, if that is set', async () => {
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

  it('informs the server about battery power, also after a restart of the server', async () => {
    const { desktop, page } = await launchServing();
    const hashing = async () => ((await ask(page, 'hashing.get', {})) as { output: { state: string } }).output.state;
    const plug = (isPlugged: boolean) =>
      desktop.evaluate(({ powerMonitor }, isIn) => {
        Object.assign(powerMonitor, { isOnBatteryPower: () => !isIn });
        (powerMonitor as unknown as NodeJS.EventEmitter).emit(isIn ? 'on-ac' : 'on-battery');
      }, isPlugged);
    expect(await hashing()).toBe('done');
    await plug(false);
    await expect.poll(hashing).toBe('battery');
    const failure = await watchFailures(page);
    process.kill(await serverPid(desktop), 'SIGKILL');
    await failure();
    await running(page);
    await expect.poll(hashing).toBe('battery');
    await plug(true);
    await expect.poll(hashing).toBe('done');
  });

  it('makes a delayed start of the server at once when the computer wakes up', async () => {
    const { desktop, page } = await launchServing();
    // Three deaths: the next start is four seconds away.
    const waits: (number | null)[] = [];
    for (let deaths = 0; deaths < 3; deaths++) {
      await running(page);
      const failure = await watchFailures(page);
      if (deaths === 2) await preventStarts(desktop);
      process.kill(await serverPid(desktop), 'SIGKILL');
      waits.push((await failure()).retryIn);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000]);
    await allowStarts(desktop);
    // At once, in the same turn: no wait can have ended in it.
    const starts = await desktop.evaluate(({ powerMonitor, utilityProcess }) => {
      const fork = utilityProcess.fork;
      let count = 0;
      utilityProcess.fork = (...args) => {
        count += 1;
        return fork(...args);
      };
      (powerMonitor as unknown as NodeJS.EventEmitter).emit('resume');
      return count;
    }, null);
    expect(starts).toBe(1);
    await running(page);
  });
});

it('starts at login by an entry for the desktop of the system if it is installed', async () => {
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
