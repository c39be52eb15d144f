import type { ItemTarget } from '../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../access/caller.ts';
import { isGranted } from '../../access/rights.ts';
import { changeProperties } from '../../files/change-properties.ts';
import { checkConditions } from '../../files/item-conditions.ts';
import { ApiError } from '../../http/errors.ts';
import { SECOND } from '../../lib/clock.ts';
import { t } from '../../messages/messages.ts';
import { EARLIEST_TIME, LATEST_TIME } from '../../storage/disk/time-limits.ts';
import { hrefOf } from '../address.ts';
import { checkIf } from '../check-if.ts';
import type { DavCall } from '../context.ts';
import { locateItem } from '../locate.ts';
import { multistatus, sendMultistatus } from '../multistatus.ts';
import { isLive } from '../properties/live.ts';
import { isFavourite, type PropertyChange, propertyChanges } from '../properties/requested.ts';
import { resourceAt } from '../properties/resource-at.ts';
import { emptyElement, propstat } from '../properties/responses.ts';
import { readXml } from '../xml/read-xml.ts';
import { DAV, escapeXml, MICROSOFT, OWNCLOUD, textOf } from '../xml/xml-tree.ts';
import { patchFavourite } from './favourite.ts';

/**
 * RFC 4918 §9.2: sets and removes properties, all of them or none. The modification time can be set, too. A star is set alone:
 * it needs other rights.
 */
export async function proppatch(call: DavCall): Promise<void> {
  const { context, address, request, response } = call;
  const body = await readXml(request, response);
  if (body === null) throw new ApiError('malformed_body', t('api.webdav.malformedXml'));
  const changes = propertyChanges(body);
  if (changes.every(isFavourite)) return patchFavourite(call, changes);
  const { caller, conditions, checkAgain } = await checkIf(call);
  const path = await locateItem(context, caller, address.segments);
  const target = await context.files.access.resolveItem(caller, path, 'files/properties');
  const checksums = changes.some(isChecksums) ? await checksumsAt(context, caller, target) : [];
  const failed = changes.map((change) => refusalOf(change, checksums));
  const isRefused = failed.some((condition) => condition !== null);
  const wanted = isRefused ? [] : changes;
  const times = wanted.filter(isModifiedTime).map(timeIn);
  const { isFolder, isTooMuch } = await changeProperties(context.files, caller, target, {
    // Checksums, which the server computes, would be wrong once the content has changed.
    properties: wanted.filter((change) => !isModifiedTime(change) && !isChecksums(change)),
    time: times.findLast((time) => time !== null) ?? null,
    async check() {
      await checkAgain();
      await checkConditions(context.files, caller, target, conditions);
    },
  });
  const href = hrefOf(address.prefix, address.segments, isFolder);
  const statuses = changes.map((change, index) => {
    const condition = failed[index] ?? null;
    if (condition !== null) return propstat(emptyElement(change), 403, condition);
    return propstat(emptyElement(change), isTooMuch ? 507 : isRefused ? 424 : 200);
  });
  const element = `<d:response><d:href>${escapeXml(href)}</d:href>${statuses.join('')}</d:response>`;
  await sendMultistatus(
    response,
    multistatus([element], (one) => one),
  );
}

/**
 * Why a change is not possible, as the content of an `error` element; null if it is.
 * @param checksums of the content, as far as the caller may know them
 */
function refusalOf(change: PropertyChange, checksums: readonly string[]): string | null {
  // Sync programs repeat them with a time. What they have already, need not be refused.
  if (isChecksums(change)) return isSubset(change, checksums) ? null : '<d:cannot-modify-protected-property/>';
  // Explorer sends times of the year 1601 for those that it does not know, and shows an error for what is refused.
  if (change.namespace === MICROSOFT && isModifiedTime(change)) return null;
  if (isModifiedTime(change)) {
    return change.element === null || timeIn(change) === null ? '<d:cannot-modify-protected-property/>' : null;
  }
  return isLive(change) ? '<d:cannot-modify-protected-property/>' : null;
}

/** `getlastmodified`, which sync programs set, and what those for ownCloud and Nextcloud, and Windows, set in its place. */
function isModifiedTime({ namespace, name }: PropertyChange): boolean {
  if (namespace === DAV) return name === 'getlastmodified' || name === 'lastmodified';
  return namespace === MICROSOFT && name === 'Win32LastModifiedTime';
}

function isChecksums({ namespace, name }: PropertyChange): boolean {
  return namespace === OWNCLOUD && name === 'checksums';
}

function isSubset({ element }: PropertyChange, checksums: readonly string[]): boolean {
  const stated = element === null ? [] : textOf(element).split(/\s+/);
  const wanted = stated.filter((one) => one !== '').map((one) => one.toUpperCase());
  return wanted.length > 0 && wanted.every((one) => checksums.some((known) => known.toUpperCase() === one));
}

async function checksumsAt(context: DavCall['context'], caller: AccountCaller, target: ItemTarget): Promise<string[]> {
  const names = [{ namespace: OWNCLOUD, name: 'checksums' }];
  const { resource } = await resourceAt(context, caller, target, { kind: 'some', names });
  const mayKnow = isGranted(rightsOf(caller), target.share, 'files/download');
  return mayKnow ? (resource.checksums ?? '').split(' ') : [];
}

/** Milliseconds since the epoch; null for what is no time. */
function timeIn({ element }: PropertyChange): number | null {
  const text = element === null ? '' : textOf(element).trim();
  const time = /^-?\d{1,12}$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  return time >= EARLIEST_TIME * SECOND && time < (LATEST_TIME + 1) * SECOND ? time : null;
}
