import type { IncomingMessage } from 'node:http';
import { shownName, virtualPathOf } from '../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { isGranted } from '../../access/rights.ts';
import type { Grant } from '../../access/shared.ts';
import { entryOf } from '../../catalogue/items.ts';
import { mimeType } from '../../files/mime-type.ts';
import { ownAddress } from '../../http/connection/hosts.ts';
import { localSeconds } from '../../lib/datetime.ts';
import { t } from '../../messages/messages.ts';
import type { ShareRecord } from '../../shares/share-record.ts';
import { type AddressFinder, addressFinder } from '../../webdav/address-of.ts';
import { fileId } from '../../webdav/properties/file-id.ts';
import { SHARE_TYPES } from '../../webdav/properties/share-types.ts';
import { linkPath } from '../../weblinks/link-details.ts';
import type { LinkRecord } from '../../weblinks/link-record.ts';
import type { OcsValue } from '../ocs.ts';
import type { SharingParts } from './call.ts';
import { type ShownPerson, shownAccount, shownRecipient } from './people.ts';
import { bitsOfLink, bitsOfRights, withinOwn } from './permissions.ts';
import type { Placed } from './places.ts';
import { type ShareKey, shareId } from './share-id.ts';

/** What apps look for to know that a link has a password: not the password itself. */
const HAS_PASSWORD = '***';

/** How a share says that recipients cannot download: in JSON, whatever the format of the reply. */
const NO_DOWNLOAD = JSON.stringify([{ scope: 'permissions', key: 'download', value: false, enabled: false }]);

/** A share that the caller may know of. */
export type VisibleShare =
  | { readonly kind: 'share'; readonly share: ShareRecord; readonly placed: Placed }
  | { readonly kind: 'link'; readonly link: LinkRecord; readonly placed: Placed }
  /** What others share with the caller: all of one sharer's shares of an item together, as in listings. */
  | { readonly kind: 'grant'; readonly grant: Grant; readonly placed: Placed };

type ShowShare = (visible: VisibleShare) => Promise<OcsValue>;

interface Shown {
  readonly key: ShareKey;
  readonly type: number;
  readonly bits: number;
  /** False for recipients who see names only. */
  readonly mayDownload?: boolean;
  readonly by: ShownPerson;
  readonly since: number;
  readonly placed: Placed;
  readonly to: ShownPerson | null;
  readonly mayEdit?: boolean;
  readonly mayEnd?: boolean;
}

/** Describes shares with the fields that apps read, in one reply. */
export function showShares(parts: SharingParts, caller: AccountCaller, request: IncomingMessage): ShowShare {
  const { sharing, dav, basePath } = parts;
  const { account } = caller;
  let finding: Promise<AddressFinder> | null = null;
  const person = async (id: number) => shownAccount(sharing, caller, await sharing.accounts.byId(id));

  /** `id` comes first, because an app takes what follows it as parts of that share. */
  async function fields(shown: Shown) {
    const { key, type, bits, by, since, to, placed } = shown;
    const { item, target } = placed;
    finding ??= addressFinder(dav, caller);
    const names = await (await finding)(virtualPathOf(target));
    const path = `/${(names ?? target.segments.slice(target.top)).join('/')}`;
    const owner = await ownerOf(shown);
    return {
      id: String(shareId(key)),
      share_type: type,
      uid_owner: by.id,
      displayname_owner: by.name,
      permissions: bits,
      can_edit: shown.mayEdit === true,
      can_delete: shown.mayEnd === true,
      stime: Math.floor(since / 1_000),
      parent: null,
      expiration: null,
      token: null,
      uid_file_owner: owner.id,
      displayname_file_owner: owner.name,
      note: '',
      label: '',
      path,
      item_type: item.isDir ? 'folder' : 'file',
      mimetype: item.isDir ? 'httpd/unix-directory' : mimeType(item.name),
      has_preview: parts.thumbnails.canMake(entryOf(item)),
      storage_id: '',
      storage: 0,
      item_source: fileId(item.uuid),
      file_source: fileId(item.uuid),
      file_target: key.kind === 'share' && to === null ? path : `/${shownName(target, item.name)}`,
      share_with: to?.id ?? null,
      share_with_displayname: to?.name ?? '',
      mail_send: 0,
      hide_download: 0,
      ...(shown.mayDownload === false ? { attributes: NO_DOWNLOAD } : {}),
    };
  }

  async function ownerOf({ placed: { target }, by }: Shown): Promise<ShownPerson> {
    const { share } = target;
    if (share === null) return shownAccount(sharing, caller, account);
    const isHidden = share.hidden.has(share.owner.id);
    const owner = isHidden ? null : await shownAccount(sharing, caller, share.owner);
    return owner === null || owner.id === '' ? by : owner;
  }

  async function showOwn(share: ShareRecord, placed: Placed): Promise<OcsValue> {
    const isMine = share.sharerId === account.id;
    const through = placed.target.share;
    const rights = isMine ? withinOwn(share.flags, caller, through, placed.item.isDir) : share.flags;
    return fields({
      key: { kind: 'share', number: share.id },
      type: share.recipient.uid === null ? SHARE_TYPES.group : SHARE_TYPES.user,
      bits: bitsOfRights(rights, placed.item.isDir),
      mayDownload: rights.download,
      by: await person(share.sharerId),
      since: share.createdAt,
      to: await shownRecipient(sharing, caller, share.recipient),
      placed,
      mayEdit: isMine && isGranted(rightsOf(caller), through, 'files/share'),
      mayEnd: isGranted(rightsOf(caller), through, 'files/unshare'),
    });
  }

  async function showGrant(grant: Grant, placed: Placed): Promise<OcsValue> {
    const own = await shownAccount(sharing, caller, account);
    const described = await fields({
      key: { kind: 'share', number: grant.id },
      type: SHARE_TYPES.user,
      bits: bitsOfRights(grant.flags, placed.item.isDir),
      mayDownload: grant.flags.download,
      by: await shownAccount(sharing, caller, grant.sharer),
      since: grant.since,
      to: null,
      placed,
    });
    return { ...described, share_with: own.id, share_with_displayname: own.name };
  }

  async function showLink(link: LinkRecord, placed: Placed): Promise<OcsValue> {
    const isMine = link.creatorId === account.id;
    const through = placed.target.share;
    const described = await fields({
      key: { kind: 'link', number: link.number },
      type: SHARE_TYPES.link,
      bits: bitsOfLink(link),
      by: await person(link.creatorId),
      since: link.createdAt,
      to: null,
      placed,
      mayEdit: isMine && link.isPermanent && isGranted(rightsOf(caller), through, 'files/weblink/edit'),
      mayEnd: isGranted(rightsOf(caller), through, 'files/unweblink'),
    });
    const password = link.passwordHash === null ? null : HAS_PASSWORD;
    return {
      ...described,
      expiration: link.expiresAt === null ? null : dayOf(link.expiresAt),
      token: link.id,
      share_with: password,
      share_with_displayname: t('api.nextcloud.shares.link'),
      password,
      send_password_by_talk: false,
      // Apps take everything with an address for a link.
      url: `${ownAddress(request)}${basePath}${linkPath(link)}`,
    };
  }

  return async (visible) => {
    if (visible.kind === 'share') return showOwn(visible.share, visible.placed);
    if (visible.kind === 'grant') return showGrant(visible.grant, visible.placed);
    return showLink(visible.link, visible.placed);
  };
}

/** Apps know only the last day, in the server's time zone. */
export function dayOf(time: number): string {
  return `${localSeconds(time).slice(0, 10)} 00:00:00`;
}
