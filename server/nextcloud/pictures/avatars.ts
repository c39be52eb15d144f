import type { IncomingMessage, ServerResponse } from 'node:http';
import { notFound } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import { sees } from '../../accounts/permissions/administration.ts';
import { sendAvatar } from '../../people/avatar.ts';
import type { NextcloudParts } from '../context.ts';

/**
 * The picture of a person, 256 pixels wide whatever an app asks for. Where there is none, apps draw the initials themselves.
 * @param username percent-encoded
 * @throws ApiError `not_found` alike for people without a picture, those who do not exist and those the caller may not know of
 */
export async function sendAvatarOf(
  { accounts, groups, pictures }: Pick<NextcloudParts, 'accounts' | 'groups' | 'pictures'>,
  caller: AccountCaller,
  username: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const account = await accounts.byUsername(decoded(username));
  if (account === null) throw notFound();
  const isSeen = sees(caller.account, { ...account, groupIds: await groups.idsOf(account.id) });
  if (!isSeen || (await pictures.read(account.id)) === null) throw notFound();
  await sendAvatar(pictures, account, request, response);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw notFound();
  }
}
