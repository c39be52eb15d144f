import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/system/eventually.ts';
import { type Desktop, type Electron, isStandIn, type StandIn } from './launch.ts';

/** Clicks what is in the menu of the application. @returns false when it is not there or cannot be clicked */
export function clickMenu(desktop: Desktop, id: string): Promise<boolean> {
  return desktop.evaluate(({ Menu }, wanted) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(wanted) ?? null;
    if (item === null || !item.enabled) return false;
    item.click();
    return true;
  }, id);
}

/** Process ids of our programs, by their names. */
export function programs(desktop: Desktop): Promise<{ name: string; pid: number }[]> {
  return desktop.evaluate(
    ({ app }) =>
      app
        .getAppMetrics()
        .filter(({ type, name = '' }) => type === 'Utility' && name.startsWith('Larder '))
        .map(({ name = '', pid }) => ({ name, pid })),
    null,
  );
}

export async function serverPid(desktop: Desktop): Promise<number> {
  const found = await eventually(
    () => programs(desktop),
    (all) => all.some(({ name, pid }) => name === 'Larder server' && pid !== undefined),
  );
  return found.find(({ name }) => name === 'Larder server')?.pid ?? 0;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What the icon beside the clock shows, where that can be seen: Electron itself does not tell. */
export async function trayOf(desktop: Desktop): Promise<{ image: string; toolTip: string; labels: string[] } | null> {
  if (!isStandIn) return null;
  return desktop.evaluate((electron) => {
    const [tray] = (electron as unknown as StandIn).Tray.all;
    return {
      image: tray?.image.path?.split('/').at(-1) ?? '',
      toolTip: tray?.toolTip ?? '',
      labels: tray?.menu?.items.map(({ label }) => label) ?? [],
    };
  }, null);
}

export const settingsFile = (home: string): string => join(home, '.config', 'larder', 'desktop.json');

export async function logOf(home: string): Promise<string> {
  return readFile(join(home, '.config', 'larder', 'logs', 'desktop.log'), 'utf8').catch(() => '');
}

/** Number of windows. */
export const windowCount = (desktop: Desktop): Promise<number> =>
  desktop.evaluate(({ BrowserWindow }: Electron) => BrowserWindow.getAllWindows().length, null);

export function closeWindow(desktop: Desktop): Promise<void> {
  return desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close(), null);
}
