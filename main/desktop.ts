import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  app,
  clipboard,
  dialog,
  Menu,
  MessageChannelMain,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  session,
  utilityProcess,
  type WebContents,
} from 'electron';
import type { ServerFlags } from '../server/control/contract/desktop.ts';
import type { DesktopState, ServerState } from '../server/control/contract/window.ts';
import { isInstallation } from './folder-check.ts';
import { openPageBridge } from './ipc.ts';
import { isOwnAddress, lockContents, lockSession } from './lockdown.ts';
import { openLog } from './log.ts';
import { HIDDEN, loginStart } from './login.ts';
import { applicationMenu, type MenuActions } from './menus.ts';
import { t } from './messages/messages.ts';
import { pagesIn } from './pages.ts';
import { createControlLink } from './processes/control-link.ts';
import { createProcesses } from './processes/processes.ts';
import { createServerProcess } from './processes/server-process.ts';
import { onSessionEnd } from './session-end.ts';
import { openSettings } from './settings.ts';
import { createTray, type TrayIcon } from './tray.ts';
import { typedCommand } from './typed-command.ts';
import { AFTER_ERROR, handleUnexpectedErrors } from './unexpected.ts';
import { createPanelWindow } from './window.ts';
import { createWindowMethods } from './window-methods.ts';

const PAGES = fileURLToPath(new URL('../renderer', import.meta.url));
/** Milliseconds between two checks whether a missing folder is back. */
const FOLDER_CHECK_INTERVAL = 5_000;
/** Milliseconds for the windows to close once the server has stopped. */
const CLOSE_TIMEOUT = 5_000;

/** The desktop application: one instance per user of the computer. A second start shows the window of the first, and ends. */
export async function startDesktop(): Promise<void> {
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  const { environment, platform, argv } = runtimeInfo();
  const logs = app.getPath('logs');
  const log = openLog(join(logs, 'desktop.log'));
  const refuse = (what: string) => log.write(`refused: ${what}`);
  const unexpected = handleUnexpectedErrors(app, argv, log.write);
  lockContents(app, { mayOpen: (url) => isOwnAddress(url, addresses()), onRefusal: refuse });
  await app.whenReady();

  const settings = openSettings(join(app.getPath('userData'), 'desktop.json'));
  const login = loginStart({ app, platform, environment, home: app.getPath('home'), executable: app.getPath('exe') });
  const pages = session.fromPartition('larder');
  lockSession(pages);
  pages.protocol.handle('app', pagesIn(PAGES));

  const processes = createProcesses({
    ...{ utilityProcess, MessageChannelMain, environment, platform },
    onError: (text) => log.write(`server: ${text}`),
  });
  const server = createServerProcess({
    ...processes,
    flags() {
      ({ folder: served } = settings.values);
      return flagsOf(settings.values);
    },
    command: typedCommand(app.getPath('exe'), process.env),
    onState: onServer,
    isOnBattery: () => powerMonitor.isOnBatteryPower(),
    onDeath: (how) => log.write(`the server ended by itself: ${how}`),
  });
  /** The folder the server was last started on. */
  let served: string | null = null;
  const control = createControlLink({
    onEvent: (event) => notifyPages(event),
    onAttention(isNeeded) {
      needsAttention = isNeeded;
      draw();
    },
    onTrouble: (what) => log.write(what),
  });
  const panel = createPanelWindow({
    session: pages,
    onOpen: () => void app.dock?.show(),
    onClose: windowClosed,
    mustEnd: () => quitting !== 'no',
    onTrouble: (what) => log.write(what),
  });
  const methods = createWindowMethods({
    ...{ server, settings, login, state, logs, quit: askToQuit },
    home: app.getPath('home'),
    downloads: app.getPath('downloads'),
    onSet: changed,
    onUnsaved(isUnsaved) {
      if (panel.closing !== null) panel.closing.isUnsaved = isUnsaved;
    },
    window: () => panel.current,
    onTrouble: (what) => log.write(what),
  });
  const bridge = openPageBridge({
    isOurs: (contents) => contents === panel.current?.webContents,
    answer: (method, input) => (methods.isOne(method) ? methods.answer(method, input) : control.invoke(method, input)),
    onSubscribe(contents) {
      listening = contents;
      bridge.tell(contents, { name: 'desktop.state', payload: state() });
      control.follow();
    },
    onRefusal: refuse,
  });
  const ask = (method: Parameters<typeof methods.answer>[0]) => () => void methods.answer(method, {});
  const actions: MenuActions = {
    open: panel.show,
    copyAddress() {
      const [address] = addresses();
      if (address !== undefined) clipboard.writeText(address);
    },
    pause: ask('desktop.pause'),
    start: ask('desktop.start'),
    openFolder: ask('desktop.openFolder'),
    openLogs: ask('desktop.openLogs'),
    quit: askToQuit,
  };

  let listening: WebContents | null = null;
  let needsAttention = false;
  let drawn = '';
  let folderWatch: NodeJS.Timeout | undefined;
  const notifications = new Set<Notification>();
  let isWantedAgain = false;
  let awake: number | null = null;
  let isFailureNotified = false;
  let quitting: 'no' | 'stopping' | 'over' = 'no';
  let tray: TrayIcon | null = null;
  try {
    tray = createTray(platform, actions);
  } catch (error) {
    log.write(`no place for the icon: ${(error as Error).message}`);
  }

  function addresses(): readonly string[] {
    return server.state.kind === 'running' ? server.state.addresses : [];
  }

  function state(): DesktopState {
    const { folder, keepsAwake, letterKeys, port } = settings.values;
    const { isOn: startsAtLogin } = login;
    return {
      ...{ version: app.getVersion(), platform, folder, server: server.state },
      ...{ startsAtLogin, keepsAwake, letterKeys, port },
    };
  }

  function notifyPages(event: Parameters<typeof bridge.tell>[1]): void {
    if (listening !== null) bridge.tell(listening, event);
  }

  /** The state has changed: all views are updated. */
  function changed(): void {
    const now = state();
    notifyPages({ name: 'desktop.state', payload: now });
    const staysAwake = settings.values.keepsAwake && now.server.kind === 'running';
    if (staysAwake && awake === null) awake = powerSaveBlocker.start('prevent-app-suspension');
    if (!staysAwake && awake !== null) {
      powerSaveBlocker.stop(awake);
      awake = null;
    }
    draw();
  }

  /** Only changed parts: setting a menu closes an open one. */
  function draw(): void {
    const now = state();
    const looks = JSON.stringify([now.folder, now.server, needsAttention]);
    if (quitting === 'over' || looks === drawn) return;
    drawn = looks;
    tray?.show(now, needsAttention);
    Menu.setApplicationMenu(Menu.buildFromTemplate(applicationMenu(platform, now, actions)));
  }

  let before: ServerState['kind'] = 'stopped';
  function onServer(now: ServerState): void {
    const isNews = now.kind !== before;
    before = now.kind;
    clearTimeout(folderWatch);
    if (now.kind === 'running') {
      isFailureNotified = false;
      if (isNews) control.use(server.control);
    } else {
      needsAttention = false;
      if (isNews) control.use(null);
    }
    if (now.kind === 'failed') onFailure(now);
    if (isNews) log.write(`server: ${now.kind}${now.kind === 'failed' ? `, ${now.failure.message}` : ''}`);
    changed();
    if (now.kind === 'running' && !settings.values.hasRun && served === settings.values.folder) {
      remember({ hasRun: true });
    }
  }

  /** If it cannot be stored, the next change tries again. */
  function remember(changes: Parameters<typeof settings.update>[0]): void {
    try {
      settings.update(changes);
    } catch (error) {
      log.write(`the settings could not be written: ${(error as Error).message}`);
    }
  }

  function onFailure({ failure }: Extract<ServerState, { kind: 'failed' }>): void {
    const { folder } = settings.values;
    if (failure.reason === 'missing' && folder !== null) {
      const look = async () => {
        if (await isInstallation(folder)) server.start();
        else if (server.state.kind === 'failed') folderWatch = setTimeout(look, FOLDER_CHECK_INTERVAL);
      };
      folderWatch = setTimeout(look, FOLDER_CHECK_INTERVAL);
    }
    if (panel.current === null && !isFailureNotified) notify(t('notification.failed.title'), failure.message);
    isFailureNotified = true;
  }

  function notify(title: string, body: string): void {
    if (!Notification.isSupported()) return;
    const notification = new Notification({ title, body });
    // Referenced until it is clicked, so that it is not garbage-collected.
    notifications.add(notification);
    notification.on('click', panel.show);
    notification.once('close', () => notifications.delete(notification));
    notification.show();
  }

  function windowClosed(): void {
    listening = null;
    control.unfollow();
    app.dock?.hide();
    if (settings.values.folder === null) quit();
    if (quitting !== 'no' || settings.values.hasToldThatItStays) return;
    remember({ hasToldThatItStays: true });
    notify(t('notification.stillRunning.title'), t('notification.stillRunning.body'));
  }

  /** The user quits. The end of the session or a shutdown is not delayed by a question. */
  function askToQuit(): void {
    const { closing } = panel;
    if (quitting !== 'no' || !closing?.isUnsaved) {
      quit();
      return;
    }
    panel.show();
    void closing.mayDiscard().then((may) => may && quit());
  }

  /** Lets requests in progress finish; then the application ends. */
  function quit(): void {
    if (quitting !== 'no') return;
    quitting = 'stopping';
    void server.end().finally(() => {
      quitting = 'over';
      tray?.remove();
      if (isWantedAgain) unexpected.relaunch();
      app.quit();
      // Ends even if something still keeps the process alive.
      setTimeout(() => app.exit(0), CLOSE_TIMEOUT);
    });
  }

  app.on('before-quit', (event) => {
    if (quitting === 'over') return;
    event.preventDefault();
    quit();
  });
  // The server continues without windows.
  app.on('window-all-closed', () => undefined);
  app.on('second-instance', () => {
    // The user started it again before it had ended.
    if (quitting === 'no') panel.show();
    else isWantedAgain = true;
  });
  app.on('activate', panel.show);
  powerMonitor.on('resume', server.wake);
  powerMonitor.on('on-battery', server.sendPower);
  powerMonitor.on('on-ac', server.sendPower);
  // Electron passes the event, but its type lacks it.
  powerMonitor.on('shutdown', (...[event]: { preventDefault?(): void }[]) => {
    event?.preventDefault?.();
    quit();
  });

  unexpected.endWith((isRestart) => {
    if (isRestart) isWantedAgain = true;
    else dialog.showErrorBox(t('ended.title'), t('ended.body', { folder: logs }));
    quit();
  });
  changed();
  if (argv.includes(AFTER_ERROR)) notify(t('notification.restarted.title'), t('notification.restarted.body'));
  if (settings.values.folder !== null) server.start();
  const isAtLogin = argv.includes(HIDDEN) || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);
  if (!isAtLogin || settings.values.folder === null) panel.show();
  else app.dock?.hide();
  if (platform === 'win32') onSessionEnd(quit);
}

function flagsOf({
  folder,
  hasRun,
  port,
}: {
  folder: string | null;
  hasRun: boolean;
  port: number | null;
}): ServerFlags {
  if (folder === null) throw new Error('no folder');
  return { folder, mustExist: hasRun, ...(port === null ? {} : { port }) };
}

function runtimeInfo() {
  return { environment: process.env, platform: process.platform, argv: process.argv };
}
