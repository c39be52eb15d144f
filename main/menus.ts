import type { MenuItemConstructorOptions } from 'electron';
import type { DesktopState } from '../server/control/contract/window.ts';
import { texts } from './texts.ts';

/** What can be done from a menu, each known by its name there. */
export interface MenuActions {
  open(): void;
  copyAddress(): void;
  pause(): void;
  start(): void;
  openFolder(): void;
  openLogs(): void;
  quit(): void;
}

/** The line that says how things are. */
export function statusLine({ folder, server }: DesktopState, needsAttention: boolean): string {
  return folder === null ? texts.noFolder : texts.status(server, needsAttention);
}

/** The menu of the icon beside the clock. */
export function trayMenu(
  state: DesktopState,
  needsAttention: boolean,
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const { menu } = texts;
  return [
    { id: 'status', label: statusLine(state, needsAttention), enabled: false },
    { type: 'separator' },
    { id: 'open', label: menu.open, click: actions.open },
    ...serverItems(state, actions),
    { type: 'separator' },
    { id: 'openLogs', label: menu.openLogs, enabled: state.folder !== null, click: actions.openLogs },
    { id: 'quit', label: menu.quit, click: actions.quit },
  ];
}

function serverItems({ folder, server }: DesktopState, actions: MenuActions): MenuItemConstructorOptions[] {
  const { menu } = texts;
  const isOff = server.kind === 'stopped' || server.kind === 'failed';
  return [
    { id: 'copyAddress', label: menu.copyAddress, enabled: server.kind === 'running', click: actions.copyAddress },
    isOff
      ? { id: 'start', label: menu.start, enabled: folder !== null, click: actions.start }
      : { id: 'pause', label: menu.pause, enabled: server.kind !== 'stopping', click: actions.pause },
  ];
}

/** The menu of the application: on macOS on top of the screen, elsewhere behind the Alt key, and everywhere its keys. */
export function applicationMenu(
  platform: NodeJS.Platform,
  state: DesktopState,
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const { menu } = texts;
  const own: MenuItemConstructorOptions[] = [
    { id: 'app.open', label: menu.open, click: actions.open },
    ...serverItems(state, actions).map((item) => ({ ...item, id: `app.${item.id}` })),
    { type: 'separator' },
    { id: 'app.openFolder', label: menu.openFolder, enabled: state.folder !== null, click: actions.openFolder },
    { id: 'app.openLogs', label: menu.openLogs, enabled: state.folder !== null, click: actions.openLogs },
    { type: 'separator' },
    ...(platform === 'darwin'
      ? [{ role: 'hide' as const }, { role: 'hideOthers' as const }, { type: 'separator' as const }]
      : []),
    { id: 'app.close', label: menu.closeWindow, role: 'close' },
    { id: 'app.quit', label: menu.quit, accelerator: 'CommandOrControl+Q', click: actions.quit },
  ];
  return [
    { label: menu.larder, submenu: own },
    { label: menu.edit, role: 'editMenu' },
    {
      label: menu.view,
      submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'togglefullscreen' }],
    },
  ];
}
