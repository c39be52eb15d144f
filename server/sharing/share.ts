import { type ItemTarget, notFound, shownName, virtualPathOf } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import type { AccountRecord } from '../accounts/accounts.ts';
import type { AccountsTransaction } from '../database/database.ts';
import { invalidNameText } from '../files/create-folder.ts';
import { withItem } from '../files/with-file.ts';
import { ApiError, invalidParameter, missingParameter } from '../http/errors.ts';
import { actorOf } from '../lib/events.ts';
import { newNameProblem } from '../lib/names/names.ts';
import { normalized } from '../lib/names/normalized.ts';
import { t } from '../messages/messages.ts';
import {
  type Recipient,
  SHARE_FLAGS,
  type ShareFlag,
  type ShareFlags,
  type ShareRecord,
} from '../shares/share-record.ts';
import type { ShareTerms } from '../shares/shares.ts';
import type { SharingContext } from './context.ts';
import { type Invited, invite, prepareInvitation, receive, requireGuests } from './guests.ts';
import { mailInvitation, mailNotices } from './notices.ts';
import { groupToShareWith, type NamedRecipient, namedRecipient, userToShareWith } from './recipients.ts';

/** §4.2: the recipient, and the rights. Omitted rights stay as they are, or have their default. */
export interface ShareRequest extends Readonly<Partial<Record<ShareFlag, boolean | undefined>>> {
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly anonymous?: boolean | undefined;
  readonly alias?: string | undefined;
}

export interface Shared {
  readonly id: number;
  readonly recipient: Recipient;
  /** Of a guest, and only if the link was just created. */
  readonly guest: Invited | null;
  /** Whether the guest's invitation is sent by mail. */
  readonly isMailed: boolean;
}

/** The default rights of a new share. */
const AT_FIRST: ShareFlags = {
  upload: false,
  download: true,
  comment: true,
  read_comments: true,
  alter: false,
  share: false,
};

/** Bytes. */
const MAX_ALIAS = 200;

/**
 * Shares a file or folder with an account, a group, or a guest; an existing share gets the new terms. No share exceeds the
 * sharer's own rights: that is checked on each use, not only now.
 * @throws ApiError `missing_parameter`, `invalid_parameter`, `permission_denied`, `not_found`, `invalid_path` for a home
 */
export async function shareItem(
  context: SharingContext,
  caller: AccountCaller,
  named: ItemName,
  request: ShareRequest,
): Promise<Shared> {
  const { account } = caller;
  const target = await context.access.resolveItem(caller, named, 'files/share');
  if (target.segments.length === 0) throw new ApiError('invalid_path', t('api.sharing.home'));
  checkRecipient(request);
  const alias = checkedAlias(request.alias);
  const everybody = [account, ...(target.share?.grantors ?? [])] as const;
  const known = await knownRecipient(context, caller, request);
  if (known !== null && known.guest !== null) requireGuests(everybody);
  const given = { name: request.name ?? '', email: request.email ?? '' };
  const invitation = known === null ? await prepareInvitation(context, everybody, given) : null;
  return withItem(context, target, async ({ item, entry }) => {
    if (!entry.isDir && alias !== undefined && alias !== '')
      throw invalidParameter('alias', t('api.parameters.foldersOnly', { parameter: 'alias' }));
    const actor = actorOf(caller, account);
    const terms = { ...request, alias };
    const named = shownName(target, entry.name);
    const done = await context.accountsDatabase.write(async (tx) => {
      const guest = known?.guest ? await context.accounts.byId(known.guest.id, tx) : null;
      const back = guest && (await receive(context, guest, actor, tx));
      const invited = invitation === null ? back : await invite(context, account, actor, invitation, tx);
      const recipient: Recipient = known?.recipient ?? { uid: invited?.account.id ?? 0, gid: null };
      const { id, isNew, share } = await put(context, caller, target, item.id, recipient, terms, tx);
      if (isNew) await mailNotices(context, caller, { share, name: alias || named, invited }, tx);
      return { id, isNew, share, recipient, invited };
    });
    emitShareEvent(context, caller, target, item.id, done.isNew ? 'share.created' : 'share.changed', {
      share: done.share,
      to: await namedRecipient(context, done.recipient),
    });
    const isMailed = mailInvitation(context, caller, {
      share: done.share,
      name: alias || named,
      invited: done.invited,
    });
    return { id: done.id, recipient: done.recipient, guest: done.invited, isMailed };
  });
}

/**
 * Changes the rights of a share that the caller made; omitted rights stay as they are.
 * @param named the item of the share, by the way that the caller has it
 * @throws ApiError `not_found` once the share has ended; `permission_denied`
 */
export async function changeShare(
  context: SharingContext,
  caller: AccountCaller,
  named: ItemName,
  id: number,
  rights: Partial<ShareFlags>,
): Promise<ShareRecord> {
  const target = await context.access.resolveItem(caller, named, 'files/share');
  return withItem(context, target, async ({ item }) => {
    const share = await context.accountsDatabase.write(async (tx) => {
      const before = await context.shares.byId(id, tx);
      if (before === null || before.itemId !== item.id || before.sharerId !== caller.account.id) throw notFound();
      const terms = termsOf(rights, before);
      await context.shares.change(tx, id, terms);
      return { ...before, ...terms };
    });
    const to = await namedRecipient(context, share.recipient);
    emitShareEvent(context, caller, target, item.id, 'share.changed', { share, to });
    return share;
  });
}

async function put(
  { shares }: SharingContext,
  { account }: AccountCaller,
  { share: through }: ItemTarget,
  itemId: number,
  recipient: Recipient,
  request: ShareRequest,
  tx: AccountsTransaction,
): Promise<{ id: number; isNew: boolean; share: ShareRecord }> {
  const viaId = through?.id ?? null;
  const before = (await shares.of(itemId, tx)).find(
    (one) =>
      one.sharerId === account.id &&
      one.viaId === viaId &&
      one.recipient.uid === recipient.uid &&
      one.recipient.gid === recipient.gid,
  );
  const terms = termsOf(request, before);
  if (before === undefined) {
    const id = await shares.add(tx, { itemId, sharerId: account.id, viaId, recipient, ...terms }).catch(goneMeanwhile);
    return { id, isNew: true, share: written(await shares.byId(id, tx)) };
  }
  await shares.change(tx, before.id, terms);
  return { id: before.id, isNew: false, share: { ...before, ...terms } };
}

/** The share it derives from may have ended since it was looked up, or the recipient been deleted. */
function goneMeanwhile(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'SQLITE_CONSTRAINT' && message.includes('FOREIGN KEY')) throw notFound();
  throw error;
}

function termsOf(request: ShareRequest, before: ShareRecord | undefined): ShareTerms {
  const flags = before?.flags ?? AT_FIRST;
  const given = SHARE_FLAGS.map((flag: ShareFlag) => [flag, request[flag] ?? flags[flag]]);
  return {
    isAnonymous: request.anonymous ?? before?.isAnonymous ?? false,
    flags: Object.fromEntries(given) as ShareFlags,
    alias: request.alias ?? before?.alias ?? '',
  };
}

/** Exactly one of the three must be given. */
function checkRecipient({ uid, gid, name, email }: ShareRequest): void {
  const isGuest = name !== undefined || email !== undefined;
  if (uid === undefined && gid === undefined && !isGuest) throw missingParameter('uid');
  if (uid !== undefined && gid !== undefined)
    throw invalidParameter('gid', t('api.parameters.notTogether', { parameter: 'uid', other: 'gid' }));
  // Some apps also send the name of a user.
  if (uid !== undefined || gid !== undefined) return;
  if (name === undefined) throw missingParameter('name');
  if (email === undefined) throw missingParameter('email');
}

async function knownRecipient(
  context: SharingContext,
  { account }: AccountCaller,
  { uid, gid }: ShareRequest,
): Promise<{ readonly recipient: Recipient; readonly guest: AccountRecord | null } | null> {
  if (uid !== undefined) {
    const user = await userToShareWith(context, account, uid);
    return { recipient: { uid: user.id, gid: null }, guest: user.type === 'guest' ? user : null };
  }
  if (gid === undefined) return null;
  const group = await groupToShareWith(context, account, gid);
  return { recipient: { uid: null, gid: group.id }, guest: null };
}

/** A valid folder name: recipients may download the folder under it. */
function checkedAlias(alias: string | undefined): string | undefined {
  const trimmed = alias === undefined ? undefined : normalized(alias.trim(), 'NFC');
  if (trimmed === undefined || trimmed === '') return trimmed;
  const problem = newNameProblem(trimmed);
  if (problem !== null) throw invalidParameter('alias', invalidNameText(problem));
  if (Buffer.byteLength(trimmed) > MAX_ALIAS)
    throw invalidParameter('alias', t('api.parameters.tooManyBytes', { parameter: 'alias', max: MAX_ALIAS }));
  return trimmed;
}

function written(share: ShareRecord | null): ShareRecord {
  if (share === null) throw new Error('the share that was just written is not there');
  return share;
}

/** Emits a change of a share, for the activity log. */
export function emitShareEvent(
  { events }: Pick<SharingContext, 'events'>,
  caller: AccountCaller,
  target: ItemTarget,
  itemId: number,
  name: 'share.created' | 'share.changed' | 'share.removed',
  { share, to }: { readonly share: ShareRecord; readonly to: NamedRecipient | null },
): void {
  const owner = target.share?.owner.username;
  const rights = SHARE_FLAGS.filter((flag) => share.flags[flag]);
  events.emit(name, {
    actor: actorOf(caller, caller.account),
    homeId: target.home.id,
    ...(owner === undefined ? {} : { owner }),
    itemId,
    path: virtualPathOf(target),
    shareId: share.id,
    to: to?.name ?? '',
    kind: to?.kind ?? 'user',
    rights: share.isAnonymous ? ['anonymous', ...rights] : rights,
  });
}
