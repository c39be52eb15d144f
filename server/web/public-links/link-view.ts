import type { Request, Response } from 'express';
import { rightsOf } from '../../access/caller.ts';
import { limitsIn } from '../../access/limits.ts';
import { accountRights, isPermitted } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { ApiError } from '../../http/errors.ts';
import { extensionOf, fileKind } from '../../lib/names/file-types.ts';
import { bidiIsolate } from '../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import { readMetadata } from '../../metadata/read-metadata.ts';
import { givesDownloads, takesUploads } from '../../weblinks/link-record.ts';
import { fieldText } from '../files/details/field-inputs.ts';
import { knownLinkBrowser } from '../shell/browser-session.ts';
import { sprites } from '../shell/icons.ts';
import { showCard } from '../shell/page-context.ts';
import { when } from '../shell/relative-time.ts';
import { isThumbnailThere } from '../shell/thumbnail-image.ts';
import { frameKindOf } from '../viewer/kinds.ts';
import { type LinkAddresses, type LinkView, linkAddresses, pathText } from './addresses.ts';
import { linkComments, type TypedComment } from './comments.ts';
import {
  allowsPreview,
  allowsThumbnails,
  type LinkPagesParts,
  type LinkRequest,
  ticketedAddresses,
} from './context.ts';
import { type Fact, linkFileMain } from './file-page.ts';
import { sendForm } from './file-request-page.ts';
import { LINK_ROWS, linkFolderMain, usualView } from './folder-page.ts';
import { headOf, LINK_POLICY, showOpen } from './frame.ts';
import { findLinkFile, linkAbilities, linkName, listLinkFolder } from './listing.ts';

/** What a visitor submitted on the previous page, and why it was rejected. */
interface Submitted {
  readonly isSent?: boolean;
  readonly problem?: string | null;
  readonly comment?: TypedComment;
}

interface ShownFolder {
  readonly mode?: LinkView | undefined;
  readonly start: number;
}

/** What a link opens, as its pages show it. */
interface LinkShown {
  /** @throws ApiError `not_found` */
  isFolder(linkRequest: LinkRequest, path: readonly string[]): Promise<boolean>;
  show(
    request: Request,
    response: Response,
    linkRequest: LinkRequest,
    path: readonly string[],
    look?: ShownFolder,
    submitted?: Submitted,
  ): Promise<void>;
}

export function linkShown(parts: LinkPagesParts): LinkShown {
  const { basePath, weblinks, clock } = parts;
  const icons = `${basePath}/icons`;

  async function isFolder({ files, caller, open }: LinkRequest, path: readonly string[]): Promise<boolean> {
    // A file request reveals nothing except what its visitor has sent.
    if (!givesDownloads(open.link) && path.length > 0) {
      throw new ApiError('not_found', t('api.access.notFound'));
    }
    if (open.items !== null && path.length === 0) return true;
    const { home, segments } = await files.access.resolveItem(caller, path, 'files/browse');
    return (await onStorage(() => files.disk.run('stat', { homeRoot: home.homeRoot, segments }))).entry.isDir;
  }

  async function showFolder(
    request: Request,
    response: Response,
    linkRequest: LinkRequest,
    path: readonly string[],
    { mode, start }: ShownFolder,
    submitted: Submitted,
  ): Promise<void> {
    const { open } = linkRequest;
    const { isSent = false, problem = null } = submitted;
    if (!givesDownloads(open.link)) return showRequest(request, response, linkRequest, isSent, problem);
    const to = addressesOf(linkRequest);
    const folder = await listLinkFolder(linkRequest, path, { start, limit: LINK_ROWS, arePhotosWhole: true });
    const abilities = linkAbilities(linkRequest);
    const canSend = takesUploads(open.link) && abilities.upload && request.secure;
    const form = canSend ? await formFor(request, response, linkRequest, path, isSent, problem) : null;
    const above =
      form === null
        ? html``
        : html`<details class="send-here"${isSent || problem !== null ? html` open` : html``}><summary class="button">${t('links.send.alsoHere')}</summary>${form}</details>`;
    const isLinked = path.length === (open.items === null ? 0 : 1);
    const below = isLinked
      ? await linkComments(parts, request, response, linkRequest, path, submitted.comment)
      : html``;
    showOpen(parts, response, linkRequest, {
      name: folder.name,
      status: problem === null ? statusOf(submitted) : 400,
      content: linkFolderMain({
        ...{ to, folder, icons, start, now: clock.now(), open, above, below },
        breadcrumbs: breadcrumbsOf(linkRequest, path),
        view: mode ?? usualView(folder),
        canDownload: abilities.download,
        canDownloadFolders: abilities.downloadFolders,
      }),
    });
  }

  async function showRequest(
    request: Request,
    response: Response,
    linkRequest: LinkRequest,
    isSent: boolean,
    problem: string | null,
  ): Promise<void> {
    if (!request.secure) throw new ApiError('https_required', t('api.requests.pageOverHttps'));
    const { open } = linkRequest;
    const name = nameOf(linkRequest, []);
    const form = await formFor(request, response, linkRequest, [], isSent, problem);
    const lead = t('links.send.lead', { name: open.creator.name });
    const card = html`<h1>${bidiIsolate(name)}</h1><p class="lead">${lead}</p>${form}<div class="unseen" id="say" role="status"></div>${sprites(['check', 'alert'])}`;
    response.setHeader('Content-Security-Policy', LINK_POLICY);
    const status = problem === null ? 200 : 400;
    showCard(parts, request, response, { title: name, card, size: 'widest', status, head: headOf(parts) });
  }

  async function formFor(
    request: Request,
    response: Response,
    linkRequest: LinkRequest,
    path: readonly string[],
    isSent: boolean,
    problem: string | null,
  ): Promise<Html> {
    const { open, visit, session, caller } = linkRequest;
    const { visitor, formToken } = knownLinkBrowser(request, response);
    const sent = await weblinks.sent.by(open.link.number, visitor);
    const to = addressesOf(linkRequest);
    return sendForm({
      folder: givesDownloads(open.link) ? to.page(pathText(path)) : null,
      ...{ to, path: pathText(path), formToken, problem, isSent, sent, icons },
      sender: session === null ? visit.name : null,
      owner: open.creator.name,
      limits: limitsIn(rightsOf(caller), { share: open.grant }),
    });
  }

  async function showFile(
    request: Request,
    response: Response,
    linkRequest: LinkRequest,
    path: readonly string[],
    submitted: Submitted,
  ): Promise<void> {
    const { open } = linkRequest;
    const { row, siblings } = path.length === 0 ? await rootFile(linkRequest) : await findLinkFile(linkRequest, path);
    const kind = frameKindOf(row.name, row.type);
    const abilities = linkAbilities(linkRequest);
    const isShown = kind !== null || row.hasThumbnail;
    const hidden = !isShown || allowsPreview(open) ? null : open.link.forceSave ? 'saved' : 'counted';
    // Previews do not move.
    const isStill = kind === 'picture' && extensionOf(row.name) !== 'gif';
    const hasPicture = (kind === null || isStill) && row.hasThumbnail && abilities.download && hidden === null;
    showOpen(parts, response, linkRequest, {
      name: row.name,
      status: statusOf(submitted),
      content: linkFileMain({
        ...{ to: addressesOf(linkRequest), open, row, siblings, icons, hidden, now: clock.now() },
        breadcrumbs: path.length === 0 ? [] : breadcrumbsOf(linkRequest, path),
        canDownload: abilities.download,
        hasView: kind !== null && abilities.download,
        hasPicture: hasPicture && (await isPictureThere(linkRequest, path)),
        facts: open.link.showMetadata ? await factsOf(linkRequest, path) : [],
        comments: await linkComments(parts, request, response, linkRequest, path, submitted.comment),
      }),
    });
  }

  function isPictureThere({ files, caller }: LinkRequest, path: readonly string[]): Promise<boolean> {
    return isThumbnailThere({ ...files, thumbnails: parts.thumbnails }, caller, path, 2_048);
  }

  /** The linked file. */
  async function rootFile(linkRequest: LinkRequest) {
    const { files, caller } = linkRequest;
    const { home, segments } = await files.access.resolveItem(caller, [], 'files/browse');
    const { entry } = await onStorage(() => files.disk.run('stat', { homeRoot: home.homeRoot, segments }));
    const name = nameOf(linkRequest, []);
    const row = {
      ...{ name, isDir: false, path: '', type: fileKind(name, false).type, changedAt: entry.mtime, size: entry.size },
      ...{
        entries: null,
        isPicture: false,
        burst: [],
        film: null,
        pixels: null,
        length: null,
        hasThumbnail: allowsThumbnails(linkRequest.open) && parts.thumbnails.canMake(entry),
      },
    };
    return { row, siblings: [] };
  }

  /** `show_metadata`: details of a file beyond the public ones. */
  async function factsOf(linkRequest: LinkRequest, path: readonly string[]): Promise<Fact[]> {
    const { files, caller } = linkRequest;
    const { home, segments } = await files.access.resolveItem(caller, path, 'files/browse');
    const { entry } = await onStorage(() => files.disk.run('stat', { homeRoot: home.homeRoot, segments }));
    return [
      { name: t('links.file.type'), value: html`${fileKind(entry.name, false).description}` },
      { name: t('links.file.size'), value: html`${t('sizes.exact', { count: entry.size })}` },
      { name: t('links.file.created'), value: when(entry.created, clock.now()) },
      ...(await embeddedIn(linkRequest, path)),
    ];
  }

  /** Embedded metadata without the location: people who link a photo do not expect to reveal where it was taken. */
  async function embeddedIn({ files, caller, open }: LinkRequest, path: readonly string[]): Promise<Fact[]> {
    if (!isPermitted(accountRights(open.creator), open.grant, 'files/metadata')) return [];
    const { sets } = await readMetadata({ ...parts.metadataContext, access: files.access }, caller, path);
    return sets
      .flatMap(({ fields }) => fields)
      .filter(({ system }) => system !== null && !system.endsWith('.place'))
      .map((field) => ({ name: field.name, value: fieldText(field) }));
  }

  function addressesOf({ open, session }: LinkRequest): LinkAddresses {
    const hasPictures = allowsThumbnails(open) && givesDownloads(open.link);
    return hasPictures ? ticketedAddresses(parts, open, session, 'page') : linkAddresses(basePath, open);
  }

  return {
    isFolder,
    async show(request, response, linkRequest, path, look = { start: 0 }, submitted = {}) {
      if (await isFolder(linkRequest, path)) await showFolder(request, response, linkRequest, path, look, submitted);
      else await showFile(request, response, linkRequest, path, submitted);
    },
  };
}

function statusOf({ comment }: Submitted): number {
  return comment === undefined || comment.problem === null ? 200 : 400;
}

function nameOf({ open }: LinkRequest, path: readonly string[]): string {
  return path.at(-1) ?? linkName(open);
}

/** The parent folders, the linked item first, or the page of several. */
function breadcrumbsOf(linkRequest: LinkRequest, path: readonly string[]): { name: string; path: string }[] {
  return path.map((_, depth) => ({
    name: nameOf(linkRequest, path.slice(0, depth)),
    path: pathText(path.slice(0, depth)),
  }));
}
