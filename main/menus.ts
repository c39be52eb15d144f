import type { MenuItemConstructorOptions } from 'electron';
import type { DesktopState } from '../server/control/contract/window.ts';
import { t } from './messages/messages.ts';

/** The actions of menus, by name. */
export interface MenuActions {
  open(): void;
  copyAddress(): void;
  pause(): void;
  start(): void;
  openFolder(): void;
  openLogs(): void;
  quit(): void;
}

/** The menu line with the present state. */
export function statusLine({ folder, server }: DesktopState, needsAttention: boolean): string {
  if (folder === null) return t('app.status', { state: 'none' });
  return t('app.status', { state: server.kind === 'running' && needsAttention ? 'attention' : server.kind });
}

/** The menu of the tray icon. */
export function trayMenu(
  state: DesktopState,
  needsAttention: boolean,
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  return [
    { id: 'status', label: statusLine(state, needsAttention), enabled: false },
    { type: 'separator' },
    { id: 'open', label: t('menu.open'), click: actions.open },
    ...serverItems(state, actions),
    { type: 'separator' },
    { id: 'openLogs', label: t('menu.openLogs'), enabled: state.folder !== null, click: actions.openLogs },
    { id: 'quit', label: t('menu.quit'), click: actions.quit },
  ];
}

function serverItems({ folder, server }: DesktopState, actions: MenuActions): MenuItemConstructorOptions[] {
  const isOff = server.kind === 'stopped' || server.kind === 'failed';
  return [
    { id: 'copyAddress', label: t('menu.copyAddress'), enabled: server.kind === 'running', click: actions.copyAddress },
    isOff
      ? { id: 'start', label: t('menu.start'), enabled: folder !== null, click: actions.start }
      : { id: 'pause', label: t('menu.pause'), enabled: server.kind !== 'stopping', click: actions.pause },
  ];
}

/** The application menu: at the top of the screen on macOS, elsewhere behind the Alt key; it also defines the shortcuts. */
export function applicationMenu(
  platform: NodeJS.Platform,
  state: DesktopState,
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const own: MenuItemConstructorOptions[] = [
    { id: 'app.open', label: t('menu.open'), click: actions.open },
    ...serverItems(state, actions).map((item) => ({ ...item, id: `app.${item.id}` })),
    { type: 'separator' },
    { id: 'app.openFolder', label: t('menu.openFolder'), enabled: state.folder !== null, click: actions.openFolder },
    { id: 'app.openLogs', label: t('menu.openLogs'), enabled: state.folder !== null, click: actions.openLogs },
    { type: 'separator' },
    ...(platform === 'darwin'
      ? [{ role: 'hide' as const }, { role: 'hideOthers' as const }, { type: 'separator' as const }]
      : []),
    { id: 'app.close', label: t('menu.closeWindow'), role: 'close' },
    { id: 'app.quit', label: t('menu.quit'), accelerator: 'CommandOrControl+Q', click: actions.quit },
  ];
  return [
    { label: t('menu.application'), submenu: own },
    { label: t('menu.edit'), role: 'editMenu' },
    {
      label: t('menu.view'),
      submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'togglefullscreen' }],
    },
  ];
}
