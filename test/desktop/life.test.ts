import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AFTER_ERROR } from '../../dist/main/unexpected.js';
import { describeInFull, itInFull } from '../support/forms.ts';
import { setUpFolder } from '../support/households/set-up-folder.ts';
import { t } from '../support/server-texts.ts';
import { clickMenu, closeWindow, isAlive, logOf, serverPid, settingsFile, trayOf, windowCount } from './application.ts';
import { applicationText } from './application-texts.ts';
import { type Desktop, type Electron, isStandIn, newHome, type StandIn } from './launch.ts';
import { allowStarts, failed, openStage, preventStarts, type Stage, watchFailures } from './stage.ts';
import { answerDialog, ask, askToServe, running, serveFolder, stateOf } from './window-page.ts';

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

describeInFull('the first start', () => {
  it('suggests a folder, serves it after the choice, and afterwards automatically', async () => {
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

  it("asks for a folder in the system's dialog, describes it, and does not change it", async () => {
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

  it('refuses folders that were not offered, and folders that are synchronized with a cloud', async () => {
    const desktop = await launch();
    const page = await desktop.window();
    const secret = join(home, 'secret');
    expect(await ask(page, 'desktop.useFolder', { folder: secret })).toMatchObject({ failure: { code: 'refused' } });
    const clouds = {
      ...{ OneDrive: 'OneDrive', 'OneDrive - Fern': 'OneDrive' },
      ...{ Dropbox: 'Dropbox', 'Mobile Documents': 'iCloud' },
    };
    for (const [cloud, name] of Object.entries(clouds)) {
      const reply = await askToServe(desktop, page, join(home, cloud, 'Larder'));
      expect(reply, cloud).toMatchObject({ failure: { error: applicationText('folder.problem.inCloud', { name }) } });
    }
    expect((await readdir(home)).filter((name) => !name.startsWith('.'))).toEqual(['Documents', 'tmp']);
  });

  it('ignores a damaged settings file, and keeps everything in the folder', async () => {
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
  });
});

describe('a disk that refuses the settings', () => {
  it('is reported for what was asked for, and in the log', async () => {
    const started = await launch();
    const page = await started.window();
    // Nothing can be written where a folder is.
    await mkdir(`${settingsFile(home)}.new`, { recursive: true });
    const [set = ''] = applicationText('error.settingsNotSaved', { reason: '\n' }).split('\n');
    const [change = ''] = applicationText('error.folderNotUsed', { reason: '\n' }).split('\n');
    const refusal = (text: string) => ({
      failure: { code: 'refused', error: expect.stringContaining(`${text}EISDIR`) },
    });
    expect(await ask(page, 'desktop.set', { keepsAwake: true })).toMatchObject(refusal(set));
    expect(await askToServe(started, page, folder)).toMatchObject(refusal(change));
    expect(await stateOf(page)).toMatchObject({ folder: null, keepsAwake: false });
    const log = await readFile(join(home, '.config', 'larder', 'logs', 'desktop.log'), 'utf8');
    expect(log).toMatch(/desktop\.set: Error: EISDIR/);
    expect(log).toMatch(/desktop\.useFolder: Error: EISDIR/);
  });
});

describe('a start that fails', () => {
  it('reports a missing folder, does not create it, and starts when it is back', async () => {
    const { desktop } = await launchServing();
    await desktop.evaluate(({ app }) => app.quit(), null).catch(() => undefined);
    await desktop.exited;
    await rename(folder, `${folder} away`);
    await mkdir(folder);
    const again = await launch();
    const page = await again.window();
    const { failure, retryIn } = await failed(page);
    expect(failure).toMatchObject({ reason: 'missing', message: t('api.storage.folderMissing') });
    expect(retryIn).toBeNull();
    expect(await readdir(folder)).toEqual([]);
    expect((await trayOf(again))?.image ?? 'stopped-dark-on-light.png').toBe('stopped-dark-on-light.png');
    await rm(folder, { recursive: true });
    await rename(`${folder} away`, folder);
    await running(page);
    expect(await ask(page, 'status')).toMatchObject({ output: { hasOwner: true } });
  });

  itInFull('reports that the port is in use, and accepts another one', async () => {
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

  itInFull('reports that another server uses the folder, and opens the folder of its log', async () => {
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

describeInFull('settings that cannot be written', () => {
  it('prevent neither running nor ending', async () => {
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

describeInFull('concurrent requests', () => {
  it('end with the same folder served, shown and stored', async () => {
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

  it('start nothing while the application quits, and restart it if requested', async () => {
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

const FAILED = applicationText('app.tooltip', { status: applicationText('app.status', { state: 'failed' }) });

describeInFull('a server that crashes', () => {
  it('is restarted, as the window and the icon show', async () => {
    const { desktop, page, client } = await launchServing();
    const pid = await serverPid(desktop);
    const failure = await watchFailures(page);
    await preventStarts(desktop);
    process.kill(pid, 'SIGKILL');
    expect((await failure()).retryIn).toBe(1_000);
    expect(await ask(page, 'status')).toMatchObject({ failure: { code: 'refused' } });
    expect((await trayOf(desktop))?.toolTip ?? FAILED).toBe(FAILED);
    await allowStarts(desktop);
    const api = await signIn(await running(page), client);
    expect((await api.get('files/browse', { path: '/ROOT/HOME' })).status).toBe(200);
    expect(await ask(page, 'status')).toMatchObject({ output: { running: true } });
    expect(await logOf(home)).toMatch(/the server ended by itself: .*\d/);
    expect((await trayOf(desktop))?.image ?? 'running-dark-on-light.png').toBe('running-dark-on-light.png');
  });

  itInFull('ends automatically if the application is killed', async () => {
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

describeInFull('an uncaught error', () => {
  /** Breaks the application soon after its start, however slow the machine is. @returns the arguments it is started with again; null if it is not */
  async function breakIt(desktop: Desktop): Promise<readonly string[] | null> {
    const told = new Promise<readonly string[] | null>((resolve) => {
      desktop.process.on('message', (message: { relaunchArgs?: readonly string[] | null }) => {
        if (message.relaunchArgs !== undefined) resolve(message.relaunchArgs);
      });
    });
    await desktop.evaluate(({ app, dialog }) => {
      process.uptime = () => 1;
      dialog.showErrorBox = (title) => void process.send?.({ title });
      app.on('quit', () => process.send?.({ relaunchArgs: (app as unknown as StandIn['app']).relaunchArgs }));
      setImmediate(() => {
        throw new Error('broken by the test');
      });
    }, null);
    return told;
  }

  it.runIf(isStandIn)('ends the application properly, which restarts once and reports it', async () => {
    const { desktop } = await launchServing();
    const pid = await serverPid(desktop);
    expect(await breakIt(desktop)).toEqual([expect.stringMatching(/main\.js$/), AFTER_ERROR]);
    expect(await desktop.exited).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(await logOf(home)).toContain('unexpected: Error: broken by the test');

    const again = await launch({ args: [AFTER_ERROR] });
    await running(await again.window());
    const shown = ({ Notification }: Electron) =>
      (Notification as unknown as StandIn['Notification']).all.map(({ title }) => title);
    expect(await again.evaluate(shown, null)).toEqual([applicationText('notification.restarted.title')]);
    const titles: unknown[] = [];
    again.process.on('message', ({ title }: { title?: string }) => title !== undefined && titles.push(title));
    expect(await breakIt(again)).toBeNull();
    expect(await again.exited).toBe(0);
    expect(titles).toEqual([applicationText('ended.title')]);
  });
});
