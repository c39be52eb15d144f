import express, { type Response, type Router } from 'express';
import { z } from 'zod';
import { albumLink, linkAlbum, linkableAlbum } from '../../../albums/link-album.ts';
import { itemsThere } from '../../../catalogue/newest.ts';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { integer, oneOf, text, virtualPaths } from '../../../http/request/parameters.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { t } from '../../../messages/messages.ts';
import type { WeblinksContext } from '../../../weblinks/context.ts';
import { removeGoneLink } from '../../../weblinks/gone-links.ts';
import { linkDetails } from '../../../weblinks/link-details.ts';
import {
  chosenItems,
  editLinkToSeveral,
  type LinkToSeveral,
  linkToSeveral,
  MAX_ALBUM_ITEMS,
  MAX_ITEMS,
  makeLinkToSeveral,
  removeLinkToSeveral,
} from '../../../weblinks/link-to-several.ts';
import { listFormOf } from '../../shell/browser-session.ts';
import { qrCode } from '../../shell/qr-code.ts';
import { rootsFor } from '../context.ts';
import { showFiles } from '../frame.ts';
import type { PageRequest } from '../listing/page-request.ts';
import type { AsFiles } from '../sharing/routes.ts';
import { optionsIn, type Typed } from './form.ts';
import { endedPage, weblinkPage } from './page.ts';
import { doneText, type Shown, settingsAddress, shownProblem } from './routes.ts';
import { endOfKnown } from './state.ts';

/** `choose` shows the form for chosen items; the others are what its buttons do. */
const FORM_ACTIONS = ['choose', 'create', 'single', 'temporary', 'save', 'end'] as const;

const ofLink = z.object({ number: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }) });
/** Uuids, separated by spaces. */
const ofItems = z.object({ items: text() });

/** The uuid of an album. */
const ofAlbum = z.object({ album: text() });

/** What a link is to be to: items or an album; or the number of a link. */
type About = { readonly items: readonly string[] } | { readonly album: string } | { readonly number: number };

const named = (uuids: readonly string[]) => uuids.map((uuid) => ({ uuid }));

/** The page of a link to several items, or to an album, and its forms. */
export function severalPages(context: WeblinksContext, asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });

  router.get(
    '/files/link/several',
    asFiles(async (request, response, pageRequest) => {
      const about = await aboutOf(pageRequest);
      const place = pageRequest.parts.linkPlace(request);
      await show(response, pageRequest, about, { place, done: doneText(pageRequest.query.done) });
    }),
  );

  router.post(
    '/files/link/several',
    asFiles(async (request, response, pageRequest) => {
      const { caller, links, isForScript } = pageRequest;
      const fields = await listFormOf(request, response, pageRequest.visitor);
      const { do: formAction } = checkParameters(z.object({ do: oneOf(FORM_ACTIONS) }), fields);
      const place = pageRequest.parts.linkPlace(request);
      if (formAction === 'choose') {
        const { path: paths } = checkParameters(z.object({ path: virtualPaths(MAX_ITEMS) }), fields);
        const items = (await chosenItems(context, caller, paths)).map(({ uuid }) => uuid);
        return show(response, pageRequest, { items }, { place });
      }
      const typed = Object.fromEntries(
        Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'),
      );
      const about =
        formAction === 'save' || formAction === 'end'
          ? checkParameters(ofLink, fields)
          : fields.album === undefined
            ? { items: checkParameters(ofItems, fields).items.split(' ') }
            : checkParameters(ofAlbum, fields);
      try {
        const { number, done } = await perform(pageRequest, about, formAction, typed);
        if (number === null) return await showEnd(response, pageRequest, doneText(done) ?? '');
        if (isForScript) return await show(response, pageRequest, { number }, { place, done: doneText(done) });
        response.redirect(303, `${links.base}/link/several?number=${number}&done=${done}`);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        await show(response, pageRequest, about, {
          place,
          values: formAction === 'end' ? null : typed,
          problem: error,
        });
      }
    }),
  );

  router.post(
    '/files/link/gone',
    asFiles(async (request, response, { caller, links, visitor }) => {
      const { number } = checkParameters(ofLink, await listFormOf(request, response, visitor));
      await removeGoneLink(context, caller, number);
      response.redirect(303, links.folder('/LINKS'));
    }),
  );

  /** An album leads to its link, if it has one. */
  async function aboutOf({ parts, caller, query }: PageRequest): Promise<About> {
    if (query.album === undefined) return checkParameters(ofLink, query);
    const about = checkParameters(ofAlbum, query);
    const { id } = await linkableAlbum(parts.albumsContext, caller, about.album);
    const link = await albumLink(context, caller, id);
    return link === null ? about : { number: link.number };
  }

  /** @returns the link, null once it has ended, and the result by its name in the messages */
  async function perform(
    { parts, caller }: PageRequest,
    about: About,
    formAction: Exclude<(typeof FORM_ACTIONS)[number], 'choose'>,
    fields: Typed,
  ): Promise<{ number: number | null; done: string }> {
    if (!('number' in about)) {
      const kind = { singleDownload: formAction === 'single', temporary: formAction === 'temporary' };
      const options = { ...optionsIn(fields, null), ...kind };
      const { number } =
        'album' in about
          ? await linkAlbum(parts.albumsContext, context, caller, about.album, options)
          : await makeLinkToSeveral(context, caller, named(about.items), options);
      return { number, done: formAction === 'create' ? 'created' : formAction };
    }
    const { number } = about;
    if (formAction === 'end') {
      await removeLinkToSeveral(context, caller, number);
      return { number: null, done: 'ended' };
    }
    await editLinkToSeveral(context, caller, number, optionsIn(fields, { kept: fields.kept ?? null }));
    return { number, done: 'saved' };
  }

  async function show(
    response: Response,
    pageRequest: PageRequest,
    about: About,
    { place, values = null, problem = null, done = null }: Shown,
  ): Promise<void> {
    const { parts, links, caller, visitor, isForScript } = pageRequest;
    const failure = problem === null ? null : shownProblem(problem, isForScript);
    const known = 'number' in about ? await linkToSeveral(context, caller, about.number) : null;
    const { items, album } = known ?? (await chosen(pageRequest, about));
    const permanent = known === null ? null : linkDetails(known.link, place.address);
    const now = context.clock.now();
    const isOpen = permanent !== null && endOfKnown(permanent, now) === null;
    const heading =
      album === null
        ? t('weblinks.several.heading', { count: items.length })
        : t('weblinks.album.heading', { title: bidiIsolate(album) });
    const main = weblinkPage({
      action: `${links.base}/link/several`,
      back: links.folder('/LINKS'),
      formToken: visitor.formToken,
      heading,
      title: album ?? t('files.count.items', { count: items.length }),
      album,
      item: null,
      names: items.map(({ name }) => name),
      about:
        'items' in about
          ? { items: about.items.join(' ') }
          : 'album' in about
            ? about
            : { number: String(about.number) },
      permanent,
      qr: isOpen ? await qrCode(permanent.url, t('weblinks.qrCode')) : null,
      ...{ extras: [], others: [], visitors: [], place, values, problem: failure, done, now },
      // A link that has ended is replaced by choosing the items again.
      mayMake: permanent === null || isOpen,
      settings: settingsAddress(parts.panelFor(response.req, caller.account)),
      hasMail: caller.account.email !== '',
    });
    const roots = await rootsFor(parts, caller);
    const page = { title: heading, at: '/LINKS', roots, main, head: parts.assets.load('weblink') };
    await showFiles(
      parts,
      response,
      visitor,
      links,
      { ...page, status: isForScript ? 200 : (problem?.status ?? 200) },
      isForScript,
    );
  }

  /** What is to be in a link. */
  async function chosen({ parts, caller }: PageRequest, about: About): Promise<Omit<LinkToSeveral, 'link'>> {
    if ('items' in about) return { items: await chosenItems(context, caller, named(about.items)), album: null };
    const { album } = checkParameters(ofAlbum, about);
    const { title, itemIds } = await linkableAlbum(parts.albumsContext, caller, album);
    const found = await itemsThere(context.database, itemIds.slice(0, MAX_ALBUM_ITEMS));
    return { album: title, items: found.map(({ item: { name, isDir } }) => ({ name, isDir })) };
  }

  async function showEnd(response: Response, pageRequest: PageRequest, done: string): Promise<void> {
    const { parts, links, caller, visitor, isForScript } = pageRequest;
    if (!isForScript) return response.redirect(303, links.folder('/LINKS'));
    const main = endedPage(t('weblinks.several.link'), done);
    const roots = await rootsFor(parts, caller);
    await showFiles(parts, response, visitor, links, { title: done, at: '/LINKS', roots, main }, true);
  }

  return router;
}
