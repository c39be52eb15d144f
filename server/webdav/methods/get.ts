import { checkStillShared, type ItemTarget } from '../../access/access.ts';
import { rightsOf } from '../../access/caller.ts';
import { isGranted } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { knownContent } from '../../catalogue/find.ts';
import { isUpToDate } from '../../catalogue/items.ts';
import { MAX_READ, quoted } from '../../files/content-tag.ts';
import { download } from '../../files/download/download.ts';
import { ownAddress } from '../../http/connection/hosts.ts';
import { sendBody } from '../../http/response/send-buffer.ts';
import { t } from '../../messages/messages.ts';
import type { Found } from '../../storage/disk/disk.ts';
import { distinguishesForms } from '../address.ts';
import type { DavCall } from '../context.ts';
import { locate } from '../locate.ts';
import { checksumsOf } from '../stated-checksums.ts';

/** GET and HEAD. A folder has no content of its own; a browser that opens one is told what the address is for. */
export async function get(call: DavCall): Promise<void> {
  const { context, caller, address, request, response } = call;
  const { access, disk } = context.files;
  const place = await locate(context, caller, address.segments);
  if (place.kind === 'list') return sendHint(call);
  // Who may download needs no list for it, as in the API.
  const mayList = isGranted(rightsOf(caller), null, 'files/browse');
  const target = await access.resolveItem(caller, place.path, mayList ? 'files/browse' : 'files/download');
  const { home, segments } = target;
  const found = await onStorage(() => disk.run('stat', { homeRoot: home.homeRoot, segments }));
  await checkStillShared(target);
  if (found.entry.isDir) return sendHint(call);
  // Once it is open: of a file that was found before, another program may have changed the content.
  const onOpened = (opened: Found) => setContentHeaders(call, target, opened);
  await download(context.files, caller, place.path, { openInBrowser: false, onOpened }, request, response);
}

/**
 * What sync clients compare with what they have received: the checksum, and for a file that is too large to be read now the tag that
 * listings have. `ETag` is another one while its content is unproven, and a client that keeps it takes the file for changed each time.
 * A client that resumes a download gets none: the content may be another one than that of its first part.
 */
async function setContentHeaders(
  { context, caller, address, request, response }: DavCall,
  target: ItemTarget,
  found: Found,
): Promise<void> {
  if (!isGranted(rightsOf(caller), target.share, 'files/download')) return;
  const { database } = context.files;
  const known = await knownContent(database, target.home.id, found);
  // Another program may have changed it since the catalogue has seen it.
  const isSeen = known !== null && isUpToDate(known.item, found.entry);
  const checksums = isSeen ? await checksumsOf(database, known.item.id, found.entry.identity) : null;
  const [preferred] = checksums?.split(' ') ?? [];
  if (preferred !== undefined) response.setHeader('OC-Checksum', preferred);
  const isWhole = request.headers.range === undefined;
  if (isSeen && isWhole && found.entry.size > MAX_READ && distinguishesForms(address)) {
    response.setHeader('OC-ETag', quoted(known.item.tag));
  }
}

async function sendHint({ context, request, response }: DavCall): Promise<void> {
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  await sendBody(response, t('api.webdav.folder', { address: `${ownAddress(request)}${context.basePath}/files/` }));
}
