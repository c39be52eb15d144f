import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

let isTold = false;

/** Called with what the desktop application says: other systems than Linux do not describe it in files. */
export function tellBattery(isOnBattery: boolean): void {
  isTold = isOnBattery;
}

/**
 * Whether this machine runs on its battery: the desktop application says so, or one is being discharged, and nothing supplies power from outside. Batteries of devices,
 * such as a mouse, do not count. False where the system does not say.
 * @param folder with a folder for each supply, as Linux describes them in `/sys/class/power_supply`
 */
export async function isOnBattery(folder: string): Promise<boolean> {
  if (isTold) return true;
  const names = await readdir(folder).catch(() => []);
  const supplies = await Promise.all(
    names.map(async (name) => {
      const read = (file: string) =>
        readFile(join(folder, name, file), 'utf8').then(
          (text) => text.trim(),
          () => '',
        );
      const [type, scope, online, status] = await Promise.all(['type', 'scope', 'online', 'status'].map(read));
      return {
        type,
        isOfDevice: scope === 'Device',
        isOnline: online === '1',
        isDischarging: status === 'Discharging',
      };
    }),
  );
  const own = supplies.filter(({ isOfDevice }) => !isOfDevice);
  const isSupplied = own.some(({ type, isOnline }) => type !== 'Battery' && isOnline);
  return !isSupplied && own.some(({ type, isDischarging }) => type === 'Battery' && isDischarging);
}
