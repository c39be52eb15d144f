import type { AccountCaller } from '../../access/caller.ts';
import { ApiError, invalidParameter } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import type { Recipient } from '../../shares/share-record.ts';
import { shareItem } from '../../sharing/share.ts';
import { SHARE_TYPES } from '../../webdav/properties/share-types.ts';
import { makeLink } from '../../weblinks/make-link.ts';
import type { OcsValue } from '../ocs.ts';
import { permitSharing, type SharingCall, unknownShare } from './call.ts';
import {
  bitsIn,
  expiryIn,
  givenIn,
  isOn,
  mayDownloadIn,
  type ReadParameter,
  refuseLinkOptions,
  refuseUnknownOptions,
} from './parameters.ts';
import { recipientNamed } from './people.ts';
import { BITS_BY_DEFAULT, bitsOfPublicUpload, linkOptionsOf, rightsOfBits, withinOwn } from './permissions.ts';
import { type AtPath, atPath } from './places.ts';
import { shareId } from './share-id.ts';
import { showShares } from './shown-share.ts';
import { visibleShare } from './visible-shares.ts';

/**
 * POST: shares an item with a user or a group, or makes its link (developer manual, OCS Share API, "Create a new Share").
 * @returns what was granted, which may be less than was asked for
 * @throws ApiError `not_found` for an unknown item or recipient, `invalid_parameter`, `permission_denied`
 */
export async function makeShare(call: SharingCall): Promise<OcsValue> {
  const given = await givenIn(call);
  const caller = await call.confirm();
  const type = given('shareType');
  const isLink = type === String(SHARE_TYPES.link);
  if (!isLink && type !== String(SHARE_TYPES.user) && type !== String(SHARE_TYPES.group)) {
    throw invalidParameter('shareType', t('api.nextcloud.shares.type'));
  }
  permitSharing(caller, isLink ? 'files/weblink' : 'files/share');
  const place = await sharedPlace(call, caller, given('path') ?? '');
  refuseUnknownOptions(given);
  const made = isLink
    ? await linkTo(call, caller, place, given)
    : await shareWith(call, caller, place, given, type === String(SHARE_TYPES.group));
  const { parts, request } = call;
  const visible = await visibleShare(parts, caller, String(shareId(made)));
  if (visible === null) throw unknownShare();
  return showShares(parts, caller, request)(visible);
}

async function sharedPlace({ parts }: SharingCall, caller: AccountCaller, path: string): Promise<AtPath> {
  const place = path === '' ? null : await atPath(parts.dav, caller, path);
  if (place === null) throw new ApiError('not_found', t('api.nextcloud.shares.path'));
  return place;
}

async function linkTo(
  { parts }: SharingCall,
  caller: AccountCaller,
  { path, isDir }: AtPath,
  given: ReadParameter,
): Promise<{ readonly kind: 'link'; readonly number: number }> {
  if (mayDownloadIn(given) === false) throw invalidParameter('attributes', t('api.nextcloud.shares.hideDownload'));
  const upload = given('publicUpload');
  const bits = bitsIn(given, 404) ?? (upload === null ? BITS_BY_DEFAULT : bitsOfPublicUpload(isOn(upload)));
  const options = {
    ...linkOptionsOf(bits, isDir),
    expiry: expiryIn(given, 404) ?? null,
    password: given('password') ?? '',
  };
  const { link, isNew } = await makeLink(parts.weblinks, caller, path, options);
  // An existing one stays as it is: its terms are not those that were asked for.
  if (!isNew) throw new ApiError('already_exists', t('api.nextcloud.shares.linkExists'), { status: 400 });
  return { kind: 'link', number: link.number };
}

async function shareWith(
  { parts: { sharing } }: SharingCall,
  caller: AccountCaller,
  { path, target, itemId, isDir }: AtPath,
  given: ReadParameter,
  isGroup: boolean,
): Promise<{ readonly kind: 'share'; readonly number: number }> {
  refuseLinkOptions(given);
  const recipient = await recipientNamed(sharing, caller, given('shareWith') ?? '', isGroup);
  const isSame = (one: Recipient) => one.uid === recipient.uid && one.gid === recipient.gid;
  const existing = (await sharing.shares.of(itemId)).some(
    (share) =>
      share.sharerId === caller.account.id && share.viaId === (target.share?.id ?? null) && isSame(share.recipient),
  );
  if (existing) throw new ApiError('permission_denied', t('api.nextcloud.shares.exists'));
  const asked = rightsOfBits(bitsIn(given, 404) ?? BITS_BY_DEFAULT, isDir, mayDownloadIn(given) ?? true);
  const rights = withinOwn(asked, caller, target.share, isDir);
  const to = recipient.uid === null ? { gid: recipient.gid } : { uid: recipient.uid };
  const { id } = await shareItem(sharing, caller, path, { ...rights, ...to });
  return { kind: 'share', number: id };
}
