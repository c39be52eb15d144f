import { rightsOf } from '../../access/caller.ts';
import { permit } from '../../access/rights.ts';
import { invalidParameter } from '../../http/errors.ts';
import { prefixOf } from '../../http/request/at-root.ts';
import { t } from '../../messages/messages.ts';
import { findByCondition } from '../../search/find-by-condition.ts';
import { belowPrefix, type DavAddress, parseDavPath, pathOfReference } from '../../webdav/address.ts';
import type { DavCall } from '../../webdav/context.ts';
import { readXml } from '../../webdav/xml/read-xml.ts';
import { type BasicSearch, basicSearch } from './dasl.ts';
import { sendFound } from './found.ts';
import { type FoundItem, type Scope, scopeAt } from './scope.ts';

type SearchCall = Omit<DavCall, 'address' | 'confirm'>;

/**
 * SEARCH (RFC 5323): files and folders below a folder, by name, media type, time, number, or as favourites. The catalogue is
 * searched; what is in files is not.
 * @throws ApiError
 */
export async function search(call: SearchCall): Promise<void> {
  const { context, caller, request, response } = call;
  const wanted = basicSearch(await readXml(request, response), caller.account.id);
  if (wanted.isAboutMetadata) permit(rightsOf(caller), 'files/search:metadata');
  const address = scopeAddress(call, wanted.href);
  const scope = await scopeAt(context, caller, address.segments, 'files/search');
  const found = await findIn(call, scope, wanted);
  await scope.check();
  await sendFound({ ...call, address }, wanted.requested, found);
}

/** Apps write `/files/<user>/…`, which is below the address of WebDAV; others a whole address. */
function scopeAddress({ context, caller, request }: SearchCall, href: string): DavAddress {
  const { basePath } = context;
  const path = /^\/(?!\/)/.test(href) ? href : pathOfReference(href, request, context);
  const whole = '/remote.php/dav';
  const own = path === null ? null : (belowPrefix(path, basePath) ?? path);
  const below = own?.startsWith(`${whole}/`) === true ? own.slice(whole.length) : path;
  if (below === null || !/^\/files\/[^/]/.test(below)) throw invalidParameter('href', t('api.nextcloud.searchScope'));
  return parseDavPath(`/remote.php/dav${below.split('/').map(encoded).join('/')}`, prefixOf(request, basePath), caller);
}

/** Some apps encode the names of the path, and some do not. */
function encoded(name: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(name));
  } catch {
    return encodeURIComponent(name.toWellFormed());
  }
}

async function findIn({ context, caller }: SearchCall, scope: Scope, wanted: BasicSearch): Promise<FoundItem[]> {
  const { condition, sort, start, limit } = wanted;
  // On the connection for long reads.
  const aside = { all: context.files.database.allAside };
  const found: FoundItem[] = [];
  let skipped = 0;
  for await (const page of findByCondition(aside, scope, condition, sort, caller.account.id)) {
    const reached = await scope.reach(page);
    const left = reached.slice(Math.max(0, start - skipped));
    skipped += reached.length - left.length;
    found.push(...left.slice(0, limit - found.length));
    if (found.length >= limit) break;
  }
  return found;
}
