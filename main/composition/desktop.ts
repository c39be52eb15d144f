import { join } from 'node:path';
import { app } from 'electron';
import { openLog } from '../log.ts';
import { loginStart } from '../login.ts';
import { openSettings } from '../settings.ts';
import { handleUnexpectedErrors } from '../unexpected.ts';
import type { Base } from './base.ts';
import { openEnding } from './ending.ts';
import { openMenus } from './menus.ts';
import { openNotices } from './notices.ts';
import { openServer } from './server.ts';
import { openWindow } from './window.ts';

/**
 * The desktop application: one instance per user of the computer. A second start shows the window of the first, and ends.
 *
 * Each part is opened with the parts before it, and follows their events; those of one event are called in this order. Nothing is
 * shown or started before all are open, and all of them open in one turn, so that no event of Electron is missed.
 */
export async function startDesktop(): Promise<void> {
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  const { environment, platform, argv } = runtimeInfo();
  const logs = app.getPath('logs');
  const log = openLog(join(logs, 'desktop.log'));
  const unexpected = handleUnexpectedErrors(app, argv, log.write);
  await app.whenReady();

  const settings = openSettings(join(app.getPath('userData'), 'desktop.json'), log.write);
  const login = loginStart({ app, platform, environment, home: app.getPath('home'), executable: app.getPath('exe') });
  const base: Base = { environment, platform, argv, logs, log, unexpected, settings, login };
  const server = openServer(base);
  const ending = openEnding(base, server);
  const window = openWindow(base, server, ending);
  const notices = openNotices(base, server, ending, window);
  const menus = openMenus(base, server, ending, window);
  for (const part of [menus, notices, server, window, ending]) part.start();
}

function runtimeInfo() {
  return { environment: process.env, platform: process.platform, argv: process.argv };
}
