import type { AccountCaller } from '../access/caller.ts';
import { ApiError } from '../http/errors.ts';
import { actorOf } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import type { NextcloudParts } from './context.ts';
import type { OcsValue } from './ocs.ts';

const APP_PASSWORD = /^app-password:(\d+)$/;

/** An app ends the app password that it uses: its person has signed out there. @throws ApiError `permission_denied` */
export async function removeOwnPassword(
  { appPasswords }: Pick<NextcloudParts, 'appPasswords'>,
  caller: AccountCaller,
): Promise<OcsValue> {
  const id = APP_PASSWORD.exec(caller.credential?.id ?? '')?.[1];
  if (id === undefined) throw new ApiError('permission_denied', t('api.nextcloud.appPassword'));
  await appPasswords.remove(caller.account, Number(id), actorOf(caller, caller.account));
  return [];
}
