import type { ItemTarget } from '../access/access.ts';
import { virtualPathOf } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { accountRights, permit, permitInShare } from '../access/rights.ts';
import { hashPassword } from '../accounts/passwords/passwords.ts';
import { withItem } from '../files/with-file.ts';
import { ApiError } from '../http/errors.ts';
import { actorOf } from '../lib/events.ts';
import { t } from '../messages/messages.ts';
import type { WeblinksContext } from './context.ts';
import { linkEnd } from './link-end.ts';
import { type LinkOptions, NO_RULES, namesOfRules, rulesFrom, TEMPORARY_FOR } from './link-options.ts';
import { givesDownloads, type LinkRecord, type LinkRules, takesUploads } from './link-record.ts';

export interface LinkRequest extends LinkOptions {
  readonly singleDownload?: boolean | undefined;
  readonly temporary?: boolean | undefined;
}

interface MadeLink {
  readonly link: LinkRecord;
  readonly isDir: boolean;
  readonly isNew: boolean;
}

/**
 * The web link of a file or folder (§3): the permanent one, created if missing, or a new temporary or single-download link, which
 * does not affect others. An existing permanent link stays unchanged; one that has ended is replaced, so that the old address
 * stays closed.
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path` for a home, `invalid_parameter`
 */
export async function makeLink(
  context: WeblinksContext,
  caller: AccountCaller,
  named: ItemName,
  request: LinkRequest,
): Promise<MadeLink> {
  const target = await context.access.resolveItem(caller, named, 'files/weblink');
  refuseHome(target);
  const isPermanent = request.singleDownload !== true && request.temporary !== true;
  const passwordHash = await hashOf(request.password, caller);
  return withItem(context, target, async ({ item, entry: { isDir } }) => {
    const rules = extraRules(request, rulesFrom(NO_RULES, request, isDir, context.clock.now()), context.clock.now());
    permitRules(caller, target, rules);
    const made = await context.database.write(async (tx) => {
      const permanent = isPermanent
        ? (await context.links.of(item.id, tx)).find((one) => one.isPermanent && one.creatorId === caller.account.id)
        : undefined;
      if (permanent !== undefined && linkEnd(permanent, context.clock.now()) === null) {
        return { link: permanent, isDir, isNew: false };
      }
      if (permanent !== undefined) await context.links.remove(tx, permanent.number);
      const requested = { ...rules, itemId: item.id, creatorId: caller.account.id, isPermanent, passwordHash };
      return { link: await context.links.add(tx, requested), isDir, isNew: true };
    });
    if (made.isNew) {
      const kind = isPermanent ? 'standing' : request.singleDownload === true ? 'single' : 'temporary';
      context.events.emit('weblink.created', { ...linkEvent(caller, target, item.id, made.link), kind });
    }
    return made;
  });
}

/**
 * Changes the permanent link; omitted options stay unchanged. After a change of password or terms, visitors must pass them again.
 * @param number only if it is this link
 * @throws ApiError like `makeLink`, and `no_weblink`
 */
export async function editLink(
  context: WeblinksContext,
  caller: AccountCaller,
  named: ItemName,
  options: LinkOptions,
  number?: number,
): Promise<MadeLink> {
  const target = await context.access.resolveItem(caller, named, 'files/weblink/edit');
  refuseHome(target);
  const passwordHash = options.password === undefined ? undefined : await hashOf(options.password, caller);
  return withItem(context, target, async ({ item, entry: { isDir } }) => {
    const link = await context.database.write(async (tx) => {
      const own = (await context.links.of(item.id, tx)).filter(({ creatorId }) => creatorId === caller.account.id);
      const permanent = own.find((one) => one.isPermanent);
      if (permanent === undefined || (number ?? permanent.number) !== permanent.number) throw noLink();
      const rules = rulesFrom(permanent, options, isDir, context.clock.now());
      permitRules(caller, target, rules);
      await context.links.change(tx, permanent.number, rules, passwordHash);
      const isOther = { password: passwordHash !== undefined, terms: rules.downloadTerms !== permanent.downloadTerms };
      await context.visits.askAgain(tx, permanent.number, isOther);
      return {
        ...permanent,
        ...rules,
        passwordHash: passwordHash === undefined ? permanent.passwordHash : passwordHash,
      };
    });
    context.events.emit('weblink.changed', linkEvent(caller, target, item.id, link));
    return { link, isDir, isNew: false };
  });
}

/**
 * Ends all of the caller's links for an item; the item's owner ends everyone's.
 * @returns the permanent one, or the newest
 * @throws ApiError `no_weblink`, `not_found`, `permission_denied`
 */
export async function removeLinks(
  context: WeblinksContext,
  caller: AccountCaller,
  named: ItemName,
): Promise<LinkRecord> {
  const target = await context.access.resolveItem(caller, named, 'files/unweblink');
  return withItem(context, target, async ({ item }) => {
    const isOwn = target.share === null;
    const removed = await context.database.write(async (tx) => {
      const mine = ({ creatorId }: LinkRecord) => creatorId === caller.account.id;
      const all = (await context.links.of(item.id, tx)).filter((link) => isOwn || mine(link));
      for (const { number } of all) await context.links.remove(tx, number);
      return [...all.filter(mine), ...all.filter((link) => !mine(link))];
    });
    const [first] = removed;
    if (first === undefined) throw noLink();
    const { number: _number, rules: _rules, ...event } = linkEvent(caller, target, item.id, first);
    context.events.emit('weblink.removed', { ...event, links: removed.length });
    return first;
  });
}

/**
 * Ends one link: the caller's own, or one to an item in the caller's own home.
 * @throws ApiError `no_weblink` once it has ended; `not_found`, `permission_denied`
 */
export async function removeLink(
  context: WeblinksContext,
  caller: AccountCaller,
  named: ItemName,
  number: number,
): Promise<void> {
  const target = await context.access.resolveItem(caller, named, 'files/unweblink');
  await withItem(context, target, async ({ item }) => {
    const link = await context.database.write(async (tx) => {
      const found = await context.links.byNumber(number, tx);
      if (found === null || found.itemId !== item.id) throw noLink();
      if (target.share !== null && found.creatorId !== caller.account.id) throw noLink();
      await context.links.remove(tx, number);
      return found;
    });
    const { number: _number, rules: _rules, ...event } = linkEvent(caller, target, item.id, link);
    context.events.emit('weblink.removed', { ...event, links: 1 });
  });
}

/** An account cannot allow visitors what it may not do itself. Of scopes, a link needs only its own. */
export function permitRules({ account }: AccountCaller, { share }: Pick<ItemTarget, 'share'>, rules: LinkRules): void {
  const actions = [
    ...(givesDownloads(rules) ? (['files/download'] as const) : []),
    ...(takesUploads(rules) ? (['files/upload'] as const) : []),
  ];
  for (const action of actions) {
    permit(accountRights(account), action);
    permitInShare(share, action);
  }
}

export function extraRules({ singleDownload, temporary }: LinkRequest, rules: LinkRules, now: number): LinkRules {
  const latest = now + TEMPORARY_FOR;
  return {
    ...rules,
    ...(singleDownload === true ? { downloadLimit: 1 } : {}),
    ...(temporary === true ? { expiresAt: Math.min(rules.expiresAt ?? latest, latest) } : {}),
  };
}

/** Hashes are queued per account: an app that makes many links delays only its own account. */
export async function hashOf(password: string | undefined, { account }: AccountCaller): Promise<string | null> {
  return password === undefined || password === '' ? null : hashPassword(password, `account ${account.id}`);
}

export function refuseHome({ segments }: ItemTarget): void {
  if (segments.length === 0) throw new ApiError('invalid_path', t('api.links.home'));
}

export function noLink(): ApiError {
  return new ApiError('no_weblink', t('api.links.none'));
}

export function linkEvent({ account, ...from }: AccountCaller, target: ItemTarget, itemId: number, link: LinkRecord) {
  const owner = target.share?.owner.username;
  return {
    actor: actorOf(from, account),
    homeId: target.home.id,
    ...(owner === undefined ? {} : { owner }),
    itemId,
    path: virtualPathOf(target),
    number: link.number,
    rules: namesOfRules(link, link.passwordHash !== null),
  };
}
