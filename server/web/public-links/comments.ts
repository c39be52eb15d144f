import type { Request, Response } from 'express';
import { accountRights, isPermitted } from '../../access/rights.ts';
import { addComment } from '../../comments/add-comment.ts';
import { type KnownComment, listComments } from '../../comments/list-comments.ts';
import { addressGroup } from '../../http/connection/client-address.ts';
import { ApiError } from '../../http/errors.ts';
import type { RawParameters } from '../../http/request/read-parameters.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import { givesDownloads } from '../../weblinks/link-record.ts';
import { commentBox, commentList, type ShownComment } from '../files/comments/list.ts';
import { commentProblem } from '../files/comments/routes.ts';
import { checkFormToken, knownLinkBrowser } from '../shell/browser-session.ts';
import { field } from '../shell/form-fields.ts';
import { linkAddresses, pathText } from './addresses.ts';
import type { LinkPagesParts, LinkRequest } from './context.ts';
import { withName } from './uploads.ts';

/** The text entered, and why it was rejected. */
export interface TypedComment {
  readonly value: string;
  readonly problem: string | null;
}

/** The comments, if the link shows them, with a form for visitors. */
export async function linkComments(
  parts: LinkPagesParts,
  request: Request,
  response: Response,
  linkRequest: LinkRequest,
  path: readonly string[],
  typed: TypedComment = { value: '', problem: null },
): Promise<Html> {
  const { open, caller, files, session, visit } = linkRequest;
  const { link, grant, creator } = open;
  if (!link.showComments) return html``;
  const may = (action: 'files/comments/list' | 'files/comments/add') =>
    isPermitted(accountRights(creator), grant, action);
  const commentsContext = { ...parts.commentsContext, access: files.access };
  const known = may('files/comments/list') ? await listComments(commentsContext, caller, path) : [];
  const canWrite = may('files/comments/add') && request.secure;
  if (!canWrite && known.length === 0) return html``;
  const list = commentList(
    known.map((comment) => shownAs(comment, link.showCommentsNames)),
    parts.clock.now(),
    null,
  );
  return html`<section class="comments" aria-labelledby="comments"><h2 id="comments">${t('comments.heading')}</h2>${list}${canWrite ? box() : html``}</section>`;

  function box(): Html {
    const { formToken } = knownLinkBrowser(request, response);
    const name = { name: 'sender', label: t('links.comments.name'), value: visit.name, autocomplete: 'name' };
    return commentBox({
      action: linkAddresses(parts.basePath, open).form('comment', pathText(path)),
      hidden: { form_token: formToken },
      ...typed,
      ...(session === null ? { fields: field(name) } : {}),
    });
  }
}

/** `show_comments_names`: without it nobody is named, not even by a letter or a colour. */
function shownAs({ id, uid, name, comment: text, createdAt: at }: KnownComment, isNamed: boolean): ShownComment {
  const shown = { id, at, text, mayRemove: false };
  if (!isNamed) return { ...shown, name: null, personId: null, isVisitor: false };
  return { ...shown, name, personId: uid, isVisitor: uid === null && name !== null };
}

/** @returns the text entered, if it was rejected @throws ApiError if the link takes none */
export async function takeComment(
  parts: LinkPagesParts,
  linkRequest: LinkRequest,
  path: readonly string[],
  fields: RawParameters,
): Promise<TypedComment | null> {
  const { open, browser, files } = linkRequest;
  // Visitors of a file request must not learn what it contains, not even by what can be commented on.
  if (!open.link.showComments || !givesDownloads(open.link) || browser === null) {
    throw new ApiError('permission_denied', t('links.errors.noPermission'));
  }
  checkFormToken(fields.form_token, browser);
  const text = typeof fields.comment === 'string' ? fields.comment : '';
  try {
    const sender = typeof fields.sender === 'string' ? fields.sender : '';
    const named = await withName(parts, linkRequest, sender, browser.visitor);
    if (!parts.commentLimit.take(`${open.link.number} ${addressGroup(named.caller.address)}`)) {
      throw new ApiError('too_many_requests', t('links.errors.tooManyComments'));
    }
    await addComment({ ...parts.commentsContext, access: files.access }, named.caller, path, text);
    await parts.weblinks.notices.note(open.link, 'commented', named.visit.name);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500 || error.code === 'not_found') throw error;
    const isNameless = error.details?.parameter === 'sender';
    return { value: text, problem: isNameless ? t('links.send.nameMissing') : commentProblem(error) };
  }
}
