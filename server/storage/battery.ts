import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Whether this machine runs on its battery: one is being discharged, and nothing supplies power from outside. Batteries of devices,
 * such as a mouse, do not count. False on systems other than Linux.
 * @param folder with a folder for each supply, as Linux describes them in `/sys/class/power_supply`
 */
export async function isOnBattery(folder: string): Promise<boolean> {
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
