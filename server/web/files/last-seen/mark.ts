import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { AccountRecord } from '../../../accounts/accounts.ts';
import { forgetOwnDevice, ownDeviceOf } from '../../shell/own-device.ts';
import type { FilesPagesParts } from '../context.ts';

/**
 * In replies for an account on its own device: the account, and two digests. The first changes with what the account may do, the
 * second with what others share with it. The worker forgets all lists with the first, and those of shares with the second; a reply
 * without it is not this account's, so that everything is forgotten.
 */
export const LISTS_HEADER = 'X-Kept-Lists';

/** Marks the reply if this browser may keep lists for the account. */
export async function markLists(
  { keepsPages, files }: Pick<FilesPagesParts, 'keepsPages' | 'files'>,
  request: Request,
  response: Response,
  account: AccountRecord,
): Promise<void> {
  const device = ownDeviceOf(request);
  if (device === null) return;
  if (device !== account.id) {
    // Somebody else uses the device now. What the first account said holds no longer.
    forgetOwnDevice(response);
    return;
  }
  if (!keepsPages()) return;
  const grants = await files.access.shared.grantsOf(account);
  const own = digestOf([account.permissions, account.homeId]);
  const shared = digestOf(grants.map(({ id, itemId, flags, sharer }) => [id, itemId, flags, sharer?.id ?? null]));
  response.setHeader(LISTS_HEADER, `${account.id} ${own} ${shared}`);
}

/** Long enough that different values have different digests; it protects nothing. */
const DIGITS = 16;

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, DIGITS);
}
