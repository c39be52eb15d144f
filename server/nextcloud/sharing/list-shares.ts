import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import type { OcsValue } from '../ocs.ts';
import { type SharingCall, unknownShare } from './call.ts';
import { isOn, queryOf } from './parameters.ts';
import { type AtPath, atPath } from './places.ts';
import { showShares, type VisibleShare } from './shown-share.ts';
import { sharesMade, sharesReceived, visibleShare } from './visible-shares.ts';

/**
 * GET of all shares, or those of one item: what the caller shares, or what others share with the caller (developer manual, OCS
 * Share API, "Get all Shares").
 * @throws ApiError `not_found` for an item that does not exist; `invalid_path` for `subfiles` of a file
 */
export async function listShares({ parts, caller, request }: SharingCall): Promise<OcsValue> {
  const query = queryOf({ request });
  const path = query('path');
  const isWithMe = isOn(query('shared_with_me'));
  const isBelow = isOn(query('subfiles'));
  const place = path === null ? null : await atPath(parts.dav, caller, path);
  // A list, such as a top level, is no item that could be shared.
  if (path !== null && place === null) return [];
  if (isBelow && place !== null && !place.isDir) throw new ApiError('invalid_path', t('api.nextcloud.shares.noFolder'));
  const all = isWithMe ? await sharesReceived(parts, caller) : await sharesMade(parts, caller, isOn(query('reshares')));
  const requested = place === null ? all : all.filter((one) => isAt(one, place, isBelow && !isWithMe));
  const show = showShares(parts, caller, request);
  return Promise.all(requested.map(show));
}

/** GET of one share: a list with it. @throws ApiError `not_found` */
export async function showShare({ parts, caller, request }: SharingCall, id: string): Promise<OcsValue> {
  const visible = await visibleShare(parts, caller, id);
  if (visible === null) throw unknownShare();
  return [await showShares(parts, caller, request)(visible)];
}

/** @param isBelow whether the items in the folder are requested, and not the folder */
function isAt({ placed: { item } }: VisibleShare, { itemId }: AtPath, isBelow: boolean): boolean {
  return (isBelow ? item.parentId : item.id) === itemId;
}
