import type { Input } from '../../../server/control/contract/contract.ts';
import { catalogue, t } from '../../messages/messages.ts';

/** The passphrase of backups has a method of its own; earlier names are not in the log. */
type Setting = Exclude<keyof Input<'settings.update'>, 'homePlaces' | 'backupPlace'> | 'backupSealing';

const isSetting = (key: string): key is Setting => Object.hasOwn(catalogue, `settingName.${key}`);

/** @param keys comma-separated, as in the activity log */
export function settingNames(keys: string): string {
  return keys
    .split(', ')
    .map((key) => (isSetting(key) ? t(`settingName.${key}`) : key))
    .join(', ');
}
