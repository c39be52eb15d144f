import { fileURLToPath } from 'node:url';
import { Menu, nativeImage, nativeTheme, Tray } from 'electron';
import type { DesktopState } from '../server/control/contract/window.ts';
import { type MenuActions, statusLine, trayMenu } from './menus.ts';
import { t } from './messages/messages.ts';

const ICONS = new URL('../icons/tray/', import.meta.url);

type Appearance = 'running' | 'paused' | 'attention' | 'stopped';

/** The icon in the system tray or menu bar. */
export interface TrayIcon {
  show(state: DesktopState, needsAttention: boolean): void;
  remove(): void;
}

/** @throws Error on desktops without a tray */
export function createTray(platform: NodeJS.Platform, actions: MenuActions): TrayIcon {
  let last: { state: DesktopState; needsAttention: boolean } | null = null;
  const tray = new Tray(nativeImage.createEmpty());
  // On macOS a click opens the menu, as usual there.
  if (platform !== 'darwin') tray.on('click', actions.open);

  function draw(): void {
    if (last === null) return;
    const { state, needsAttention } = last;
    tray.setImage(nativeImage.createFromPath(icon(platform, appearanceOf(state, needsAttention))));
    tray.setToolTip(t('app.tooltip', { status: statusLine(state, needsAttention) }));
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(state, needsAttention, actions)));
  }
  nativeTheme.on('updated', draw);

  return {
    show(state, needsAttention) {
      last = { state, needsAttention };
      draw();
    },
    remove() {
      nativeTheme.off('updated', draw);
      tray.destroy();
    },
  };
}

function appearanceOf({ folder, server }: DesktopState, needsAttention: boolean): Appearance {
  if (folder === null) return 'attention';
  switch (server.kind) {
    case 'failed':
      return 'stopped';
    case 'stopped':
    case 'stopping':
      return 'paused';
    case 'starting':
      return 'running';
    case 'running':
      return needsAttention ? 'attention' : 'running';
  }
}

/** macOS colours templates itself; elsewhere there is one icon for light and one for dark bars. */
function icon(platform: NodeJS.Platform, appearance: Appearance): string {
  const light = nativeTheme.shouldUseDarkColorsForSystemIntegratedUI ? 'light-on-dark' : 'dark-on-light';
  const name = platform === 'darwin' ? `${appearance}Template.png` : `${appearance}-${light}.png`;
  return fileURLToPath(new URL(name, ICONS));
}
