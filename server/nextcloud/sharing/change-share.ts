import { grantPath, notFound } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import type { ItemName } from '../../access/item-name.ts';
import { ApiError, invalidParameter } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import type { ShareRecord } from '../../shares/share-record.ts';
import { changeShare } from '../../sharing/share.ts';
import { endShare } from '../../sharing/unshare.ts';
import type { LinkOptions } from '../../weblinks/link-options.ts';
import type { LinkRecord } from '../../weblinks/link-record.ts';
import { editLink, removeLink } from '../../weblinks/make-link.ts';
import type { OcsValue } from '../ocs.ts';
import { permitSharing, type SharingCall, type SharingParts, unknownShare } from './call.ts';
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
import { bitsOfPublicUpload, bitsOfRights, linkOptionsOf, rightsOfBits, withinOwn } from './permissions.ts';
import type { Placed } from './places.ts';
import { dayOf, showShares, type VisibleShare } from './shown-share.ts';
import { visibleShare } from './visible-shares.ts';

/** What can be changed; at least one of them is sent. */
const CHANGES = [
  ...['permissions', 'password', 'expireDate', 'publicUpload', 'note', 'label', 'hideDownload', 'attributes'],
  // They change nothing here.
  ...['sendPasswordByTalk', 'sendMail'],
];

/**
 * PUT: changes a share that the caller made (developer manual, OCS Share API, "Update Share"). What is not sent stays.
 * @returns what is granted now, which may be less than was asked for
 * @throws ApiError `not_found`, `invalid_parameter`, `permission_denied` also for shares of others
 */
export async function putShare(call: SharingCall, id: string): Promise<OcsValue> {
  const given = await givenIn(call);
  const caller = await call.confirm();
  const { parts, request } = call;
  const visible = await known(parts, caller, id);
  permitSharing(caller, visible.kind === 'link' ? 'files/weblink/edit' : 'files/share');
  if (!isMine(visible, caller)) throw new ApiError('permission_denied', t('api.nextcloud.shares.notYours'));
  if (CHANGES.every((name) => given(name) === null)) {
    throw new ApiError('missing_parameter', t('api.nextcloud.shares.nothing'));
  }
  refuseUnknownOptions(given);
  if (visible.kind === 'link') await changeLink(parts, caller, visible, given);
  else if (visible.kind === 'share') await changeRights(parts, caller, visible, given);
  return showShares(parts, caller, request)(await known(parts, caller, id));
}

/**
 * DELETE: ends a share or a link of the caller, or one of the caller's own files.
 * @throws ApiError `not_found`; `permission_denied` for what others share with the caller, which only they can end
 */
export async function deleteShare({ parts, caller }: SharingCall, id: string): Promise<OcsValue> {
  const visible = await known(parts, caller, id);
  permitSharing(caller, visible.kind === 'link' ? 'files/unweblink' : 'files/unshare');
  if (visible.kind === 'grant') throw new ApiError('permission_denied', t('api.nextcloud.shares.notYours'));
  const { item, location } = visible.placed;
  if (visible.kind === 'link') {
    await removeLink(parts.weblinks, caller, { uuid: item.uuid }, visible.link.number).catch(asUnknown);
  } else {
    const named = await wayTo(parts, caller, visible.share, { item, location });
    await endShare(parts.sharing, caller, named, visible.share.id);
  }
  return [];
}

async function known(parts: SharingParts, caller: AccountCaller, id: string): Promise<VisibleShare> {
  const visible = await visibleShare(parts, caller, id);
  if (visible === null) throw unknownShare();
  return visible;
}

function isMine(visible: VisibleShare, { account }: AccountCaller): boolean {
  if (visible.kind === 'grant') return false;
  return (visible.kind === 'link' ? visible.link.creatorId : visible.share.sharerId) === account.id;
}

async function changeRights(
  parts: SharingParts,
  caller: AccountCaller,
  { share, placed }: { readonly share: ShareRecord; readonly placed: Placed },
  given: ReadParameter,
): Promise<void> {
  refuseLinkOptions(given);
  const { item, target } = placed;
  const [bits, mayDownload] = [bitsIn(given, 400), mayDownloadIn(given)];
  if (bits === null && mayDownload === null) return;
  const { isDir } = item;
  const asked = rightsOfBits(bits ?? bitsOfRights(share.flags, isDir), isDir, mayDownload ?? share.flags.download);
  const rights = withinOwn(asked, caller, target.share, isDir);
  await changeShare(parts.sharing, caller, await wayTo(parts, caller, share, placed), share.id, rights);
}

async function changeLink(
  { weblinks }: SharingParts,
  caller: AccountCaller,
  { link, placed: { item } }: { readonly link: LinkRecord; readonly placed: Placed },
  given: ReadParameter,
): Promise<void> {
  if (!link.isPermanent) throw new ApiError('permission_denied', t('api.nextcloud.shares.temporary'));
  if (mayDownloadIn(given) === false) throw invalidParameter('attributes', t('api.nextcloud.shares.hideDownload'));
  const [upload, expiry] = [given('publicUpload'), expiryIn(given, 400)];
  const bits = bitsIn(given, 400) ?? (upload === null ? null : bitsOfPublicUpload(isOn(upload)));
  const password = given('password');
  const options: LinkOptions = {
    ...(bits === null ? {} : linkOptionsOf(bits, item.isDir)),
    ...(password === null ? {} : { password }),
    ...(expiry === undefined || isSameDay(expiry, link.expiresAt) ? {} : { expiry }),
  };
  await editLink(weblinks, caller, { uuid: item.uuid }, options, link.number).catch(asUnknown);
}

/** An app sends the day again that it was told; the link may end at another time of that day. */
function isSameDay(requested: number | null, present: number | null): boolean {
  return requested !== null && present !== null && dayOf(requested) === dayOf(present);
}

/** The item of a share, by the way that its sharer has it: another share of the same item may have other rights. */
async function wayTo(
  { sharing }: SharingParts,
  { account }: AccountCaller,
  { viaId, sharerId }: ShareRecord,
  { item, location }: Pick<Placed, 'item' | 'location'>,
): Promise<ItemName> {
  if (viaId === null || sharerId !== account.id) return { uuid: item.uuid };
  const via = await sharing.shares.byId(viaId);
  const grant =
    via === null ? null : await sharing.access.shared.grant(account, via.isAnonymous ? null : via.sharerId, via.id);
  if (grant === null) throw notFound();
  return [...grantPath(grant).split('/').slice(1), ...location.segments.slice(grant.location.segments.length)];
}

/** The link has ended meanwhile. */
function asUnknown(error: unknown): never {
  throw error instanceof ApiError && error.code === 'no_weblink' ? unknownShare() : error;
}
