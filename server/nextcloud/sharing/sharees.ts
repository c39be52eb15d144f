import { invalidParameter, missingParameter } from '../../http/errors.ts';
import { searchFold } from '../../lib/names/names.ts';
import { t } from '../../messages/messages.ts';
import { type NamedRecipient, recipientsFor } from '../../sharing/recipients.ts';
import { SHARE_TYPES } from '../../webdav/properties/share-types.ts';
import type { OcsValue } from '../ocs.ts';
import { permitSharing, type SharingCall } from './call.ts';
import { queryOf, type ReadParameter } from './parameters.ts';

/** Someone to share with, as an app finds and shows them. */
interface Sharee {
  readonly type: number;
  readonly id: string;
  readonly name: string;
}

const MAX_PER_PAGE = 200;
const MAX_RECOMMENDED = 10;

/** The kinds of recipients that apps expect lists of. Only the first two exist here. */
const KINDS = ['users', 'groups', 'remotes', 'remote_groups', 'emails', 'circles', 'rooms'] as const;

/**
 * GET: people and groups by a part of their name, those that the caller may know of (developer manual, OCS Sharee API, "Search
 * sharees"). A whole name is an exact match.
 * @throws ApiError `missing_parameter`, `invalid_parameter`; `permission_denied` for those who may not share
 */
export async function searchSharees(call: SharingCall): Promise<OcsValue> {
  permitSharing(call.caller, 'files/share');
  const query = queryOf(call);
  if (query('itemType') === null) throw missingParameter('itemType');
  const [page, perPage] = [countIn(query, 'page', 1), countIn(query, 'perPage', MAX_PER_PAGE)];
  const size = Math.min(perPage, MAX_PER_PAGE);
  const text = searchFold((query('search') ?? '').trim());
  const found = (await shareesFor(call)).filter((one) => namesOf(one).some((name) => name.includes(text)));
  const isExact = (one: Sharee) => namesOf(one).includes(text);
  const others = (type: number) =>
    found.filter((one) => one.type === type && !isExact(one)).slice((page - 1) * size, page * size);
  return {
    exact: lists(found.filter(isExact)),
    ...lists([...others(SHARE_TYPES.user), ...others(SHARE_TYPES.group)]),
    lookup: [],
    lookupEnabled: false,
  };
}

/**
 * GET: whom the caller has shared with last (developer manual, OCS Sharee API, "Sharee recommendations").
 * @throws ApiError like `searchSharees`
 */
export async function recommendedSharees(call: SharingCall): Promise<OcsValue> {
  const { parts, caller } = call;
  permitSharing(caller, 'files/share');
  if (queryOf(call)('itemType') === null) throw missingParameter('itemType');
  const known = await shareesFor(call);
  const recent = new Set<Sharee>();
  for (const { recipient } of await parts.sharing.shares.by(caller.account.id)) {
    const id = recipient.uid === null ? String(recipient.gid) : await userNameOf(call, recipient.uid);
    const type = recipient.uid === null ? SHARE_TYPES.group : SHARE_TYPES.user;
    const sharee = known.find((one) => one.type === type && one.id === id);
    if (sharee !== undefined) recent.add(sharee);
    if (recent.size === MAX_RECOMMENDED) break;
  }
  return { exact: lists([]), ...lists([...recent]) };
}

/** Guests are invited on the pages. */
async function shareesFor(call: SharingCall): Promise<Sharee[]> {
  const known = await recipientsFor(call.parts.sharing, call.caller.account);
  const sharees = await Promise.all(known.map((one) => shareeOf(call, one)));
  return sharees.filter((one) => one !== null);
}

async function shareeOf(call: SharingCall, { recipient, kind, name }: NamedRecipient): Promise<Sharee | null> {
  if (recipient.uid === null) return { type: SHARE_TYPES.group, id: String(recipient.gid), name };
  const id = kind === 'guest' ? null : await userNameOf(call, recipient.uid);
  return id === null ? null : { type: SHARE_TYPES.user, id, name };
}

async function userNameOf({ parts }: SharingCall, uid: number): Promise<string | null> {
  return (await parts.sharing.accounts.byId(uid))?.username ?? null;
}

/** By which someone is found. The number of a group is no name. */
function namesOf({ type, id, name }: Sharee): string[] {
  return (type === SHARE_TYPES.user ? [name, id] : [name]).map(searchFold);
}

function lists(sharees: readonly Sharee[]): { readonly [kind: string]: OcsValue } {
  const of = (type: number) => sharees.filter((one) => one.type === type).map(shown);
  const empty = Object.fromEntries(KINDS.map((kind) => [kind, []]));
  return { ...empty, users: of(SHARE_TYPES.user), groups: of(SHARE_TYPES.group) };
}

function shown({ type, id, name }: Sharee): OcsValue {
  const icon = type === SHARE_TYPES.group ? 'icon-group' : 'icon-user';
  return {
    label: name,
    subline: '',
    icon,
    value: { shareType: type, shareWith: id },
    shareWithDisplayNameUnique: id,
  };
}

function countIn(query: ReadParameter, name: 'page' | 'perPage', otherwise: number): number {
  const text = query(name);
  if (text === null) return otherwise;
  if (!/^[1-9]\d{0,5}$/.test(text)) {
    throw invalidParameter(name, t('api.nextcloud.shares.count', { parameter: name }));
  }
  return Number(text);
}
