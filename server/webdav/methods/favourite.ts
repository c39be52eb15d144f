import { checkConditions } from '../../files/item-conditions.ts';
import { invalidParameter } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import { setStar } from '../../stars/operations.ts';
import { hrefOf } from '../address.ts';
import { checkIf } from '../check-if.ts';
import type { DavCall } from '../context.ts';
import { locateItem } from '../locate.ts';
import { multistatus, sendMultistatus } from '../multistatus.ts';
import type { PropertyChange } from '../properties/requested.ts';
import { emptyElement, propstat } from '../properties/responses.ts';
import { escapeXml, textOf } from '../xml/xml-tree.ts';

/**
 * PROPPATCH of the property `favorite` of ownCloud and Nextcloud: sets or removes the star of the caller. The item does not change.
 * @param changes of that property; the last one counts
 * @throws ApiError; `invalid_parameter` for a value that is none
 */
export async function patchFavourite(call: DavCall, changes: readonly PropertyChange[]): Promise<void> {
  const { context, address, response } = call;
  const isStarred = changes.map(isStarredBy).at(-1) === true;
  const { caller, conditions, checkAgain } = await checkIf(call);
  const path = await locateItem(context, caller, address.segments);
  await setStar(context.files, context.stars, caller, path, isStarred, async (target) => {
    await checkAgain();
    await checkConditions(context.files, caller, target, conditions);
  });
  const statuses = changes.map((change) => propstat(emptyElement(change), 200)).join('');
  const href = escapeXml(hrefOf(address.prefix, address.segments, false));
  await sendMultistatus(
    response,
    multistatus([`<d:response><d:href>${href}</d:href>${statuses}</d:response>`], (one) => one),
  );
}

function isStarredBy({ element }: PropertyChange): boolean {
  const text = element === null ? '0' : textOf(element).trim().toLowerCase();
  if (text === '1' || text === 'true' || text === 'yes') return true;
  if (text === '0' || text === 'false' || text === 'no' || text === '') return false;
  throw invalidParameter('favorite', t('api.webdav.favourite'));
}
