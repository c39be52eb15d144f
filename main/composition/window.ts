import { fileURLToPath } from 'node:url';
import { app, session, type WebContents } from 'electron';
import type { WindowEvent } from '../../server/control/contract/window.ts';
import { openPageBridge } from '../ipc.ts';
import { isOwnAddress, lockContents, lockSession } from '../lockdown.ts';
import { HIDDEN } from '../login.ts';
import { pagesIn } from '../pages.ts';
import { createPanelWindow } from '../window.ts';
import { createWindowMethods } from '../window-methods.ts';
import type { Base } from './base.ts';
import type { Ending } from './ending.ts';
import type { Server } from './server.ts';

const PAGES = fileURLToPath(new URL('../../renderer', import.meta.url));

export type Window = ReturnType<typeof openWindow>;

/** The window with the panel, and what its pages may ask for and are told. */
export function openWindow({ platform, argv, logs, log, settings, login }: Base, server: Server, ending: Ending) {
  const refuse = (what: string) => log.write(`refused: ${what}`);
  // Before anything can create contents.
  lockContents(app, { mayOpen: (url) => isOwnAddress(url, server.addresses()), onRefusal: refuse });
  const pages = session.fromPartition('larder');
  lockSession(pages);
  pages.protocol.handle('app', pagesIn(PAGES));
  const panel = createPanelWindow({
    session: pages,
    mustEnd: ending.hasBegun,
    onTrouble: (what) => log.write(what),
  });

  /** The user quits. The end of the session or a shutdown is not delayed by a question. */
  function askToQuit(): void {
    const { closing } = panel;
    if (ending.hasBegun() || !closing?.isUnsaved) {
      ending.quit();
      return;
    }
    panel.show();
    void closing.mayDiscard().then((may) => may && ending.quit());
  }

  const methods = createWindowMethods({
    ...{ settings, login, panel, logs, server: server.process, state: server.state, quit: askToQuit },
    home: app.getPath('home'),
    downloads: app.getPath('downloads'),
    onSet: server.changed,
    onTrouble: (what) => log.write(what),
  });
  /** The page that has subscribed. */
  let listening: WebContents | null = null;
  const bridge = openPageBridge({
    isOurs: (contents) => contents === panel.current?.webContents,
    answer: (method, input) =>
      methods.isOne(method) ? methods.answer(method, input) : server.control.invoke(method, input),
    onSubscribe(contents) {
      listening = contents;
      tell({ name: 'desktop.state', payload: server.state() });
      server.control.follow();
    },
    onRefusal: refuse,
  });

  function tell(event: WindowEvent): void {
    if (listening !== null) bridge.tell(listening, event);
  }

  server.events.on('state', (state) => tell({ name: 'desktop.state', payload: state }));
  server.events.on('reported', tell);
  panel.onClose(() => {
    listening = null;
    server.control.unfollow();
    if (settings.values.folder === null) ending.quit();
  });
  app.on('second-instance', () => {
    if (!ending.hasBegun()) panel.show();
  });
  app.on('activate', panel.show);

  return {
    panel,
    answer: methods.answer,
    askToQuit,
    /** Shows it, unless the system has started the application at login. */
    start() {
      const isAtLogin = argv.includes(HIDDEN) || (platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin);
      if (!isAtLogin || settings.values.folder === null) panel.show();
      else app.dock?.hide();
    },
  };
}
