import { EventEmitter } from 'node:events';
import { app, MessageChannelMain, powerMonitor, utilityProcess } from 'electron';
import type { ServerFlags } from '../../server/control/contract/desktop.ts';
import type { DesktopState, ServerState, WindowEvent } from '../../server/control/contract/window.ts';
import { createControlLink } from '../processes/control-link.ts';
import { createMissingFolder } from '../processes/missing-folder.ts';
import { createProcesses } from '../processes/processes.ts';
import { createServerProcess } from '../processes/server-process.ts';
import type { DesktopSettings } from '../settings.ts';
import { createSleepBlocker } from '../sleep-blocker.ts';
import { typedCommand } from '../typed-command.ts';
import type { Base } from './base.ts';

/** What the views of the application follow. */
interface ServerEvents {
  /** The state of the application has changed: of the server, or a setting. */
  readonly state: [DesktopState];
  /** Something begins or ceases to need attention. */
  readonly attention: [];
  /** The running server reports something to the pages that follow it. */
  readonly reported: [WindowEvent];
}

export type Server = ReturnType<typeof openServer>;

/** The process of the server, the connection to it, and the state of the application, most of which is that of the server. */
export function openServer({ environment, platform, log, settings, login }: Base) {
  const events = new EventEmitter<ServerEvents>();
  const sleepBlocker = createSleepBlocker();
  let needsAttention = false;
  const control = createControlLink({
    onEvent: (event) => events.emit('reported', event),
    onAttention(isNeeded) {
      needsAttention = isNeeded;
      events.emit('attention');
    },
    onTrouble: (what) => log.write(what),
  });
  const processes = createProcesses({
    ...{ utilityProcess, MessageChannelMain, environment, platform },
    onError: (text) => log.write(`server: ${text}`),
  });
  /** The folder the server was last started on. */
  let served: string | null = null;
  let before: ServerState['kind'] = 'stopped';
  const server = createServerProcess({
    ...processes,
    flags() {
      ({ folder: served } = settings.values);
      return flagsOf(settings.values);
    },
    command: typedCommand(app.getPath('exe'), environment),
    onState: onServer,
    isOnBattery: () => powerMonitor.isOnBatteryPower(),
    onDeath: (how) => log.write(`the server ended by itself: ${how}`),
  });
  const missingFolder = createMissingFolder(server);

  function onServer(now: ServerState): void {
    const isNews = now.kind !== before;
    before = now.kind;
    const { folder } = settings.values;
    missingFolder.stop();
    if (now.kind !== 'running') needsAttention = false;
    if (isNews) control.use(now.kind === 'running' ? server.control : null);
    if (now.kind === 'failed' && now.failure.reason === 'missing' && folder !== null) missingFolder.waitFor(folder);
    if (isNews) log.write(`server: ${now.kind}${now.kind === 'failed' ? `, ${now.failure.message}` : ''}`);
    changed();
    if (now.kind === 'running' && !settings.values.hasRun && served === folder) settings.remember({ hasRun: true });
  }

  function state(): DesktopState {
    const { folder, keepsAwake, letterKeys, port } = settings.values;
    const { isOn: startsAtLogin } = login;
    return {
      ...{ version: app.getVersion(), platform, folder, server: server.state },
      ...{ startsAtLogin, keepsAwake, letterKeys, port },
    };
  }

  function changed(): void {
    const now = state();
    sleepBlocker.set(now.keepsAwake && now.server.kind === 'running');
    events.emit('state', now);
  }

  powerMonitor.on('resume', server.wake);
  powerMonitor.on('on-battery', server.sendPower);
  powerMonitor.on('on-ac', server.sendPower);

  return {
    process: server,
    control,
    state,
    /** Of the running server; none while it does not run. */
    addresses: (): readonly string[] => (server.state.kind === 'running' ? server.state.addresses : []),
    needsAttention: () => needsAttention,
    events: events as Pick<typeof events, 'on'>,
    /** A setting has changed. */
    changed,
    /** Starts it on the folder, once one is chosen. */
    start() {
      if (settings.values.folder !== null) server.start();
    },
  };
}

function flagsOf({ folder, hasRun, port }: DesktopSettings['values']): ServerFlags {
  if (folder === null) throw new Error('no folder');
  return { folder, mustExist: hasRun, ...(port === null ? {} : { port }) };
}
