import { clipboard, Menu } from 'electron';
import { applicationMenu, type MenuActions } from '../menus.ts';
import { createTray, type TrayIcon } from '../tray.ts';
import type { Base } from './base.ts';
import type { Ending } from './ending.ts';
import type { Server } from './server.ts';
import type { Window } from './window.ts';

/** The icon in the tray, and the menu of the application: both show the state of the server, and do the same. */
export function openMenus({ platform, log }: Base, server: Server, ending: Ending, window: Window) {
  const ask = (method: Parameters<typeof window.answer>[0]) => () => void window.answer(method, {});
  const actions: MenuActions = {
    open: window.panel.show,
    copyAddress() {
      const [address] = server.addresses();
      if (address !== undefined) clipboard.writeText(address);
    },
    pause: ask('desktop.pause'),
    start: ask('desktop.start'),
    openFolder: ask('desktop.openFolder'),
    openLogs: ask('desktop.openLogs'),
    quit: window.askToQuit,
  };
  const tray = trayIn({ platform, log }, actions);
  let drawn = '';
  let isRemoved = false;

  /** Only changed parts: setting a menu closes an open one. */
  function draw(): void {
    const now = server.state();
    const needsAttention = server.needsAttention();
    const looks = JSON.stringify([now.folder, now.server, needsAttention]);
    if (isRemoved || looks === drawn) return;
    drawn = looks;
    tray?.show(now, needsAttention);
    Menu.setApplicationMenu(Menu.buildFromTemplate(applicationMenu(platform, now, actions)));
  }

  server.events.on('state', draw);
  server.events.on('attention', draw);
  ending.onServerEnded(() => {
    isRemoved = true;
    tray?.remove();
  });

  return { start: draw };
}

/** Null on desktops without a tray. */
function trayIn({ platform, log }: Pick<Base, 'platform' | 'log'>, actions: MenuActions): TrayIcon | null {
  try {
    return createTray(platform, actions);
  } catch (error) {
    log.write(`no place for the icon: ${(error as Error).message}`);
    return null;
  }
}
