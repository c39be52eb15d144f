import { itemsThere } from '../../catalogue/newest.ts';
import { ApiError, invalidParameter } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import type { DavCall } from '../../webdav/context.ts';
import { DavError } from '../../webdav/failure.ts';
import { isFavourite, propertiesIn, type RequestedProperties } from '../../webdav/properties/requested.ts';
import { readXml } from '../../webdav/xml/read-xml.ts';
import { davChild, elementsOf, OWNCLOUD, textOf, type XmlElement } from '../../webdav/xml/xml-tree.ts';
import { sendFound } from './found.ts';
import { scopeAt } from './scope.ts';

/**
 * REPORT `filter-files` with the rule `favorite`: the items that the caller has starred, in a folder and everything below it, last
 * starred first (https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/basic.html#listing-favorites).
 * @throws DavError `permission_denied` for another report; ApiError `invalid_parameter` for other rules
 */
export async function report(call: DavCall): Promise<void> {
  const { context, caller, address, request, response } = call;
  const requested = favouritesAsked(await readXml(request, response));
  const scope = await scopeAt(context, caller, address.segments, 'files/browse');
  const items = await itemsThere(context.files.database, await context.stars.of(caller.account.id));
  const found = await scope.reach(items);
  await scope.check();
  await sendFound(call, requested, found);
}

function favouritesAsked(root: XmlElement | null): RequestedProperties {
  if (root === null) throw new ApiError('malformed_body', t('api.webdav.malformedXml'));
  if (root.namespace !== OWNCLOUD || root.name !== 'filter-files') {
    // RFC 3253 §3.6.
    throw new DavError('permission_denied', t('api.nextcloud.report'), '<d:supported-report/>');
  }
  const rules = elementsOf(root).filter(({ namespace, name }) => namespace === OWNCLOUD && name === 'filter-rules');
  const all = rules.flatMap(elementsOf);
  const isForFavourites = all.length > 0 && all.every((rule) => isFavourite(rule) && textOf(rule).trim() === '1');
  if (!isForFavourites) throw invalidParameter('filter-rules', t('api.nextcloud.filterRules'));
  const prop = davChild(root, 'prop');
  return prop === undefined ? { kind: 'all', include: [] } : propertiesIn(prop);
}
