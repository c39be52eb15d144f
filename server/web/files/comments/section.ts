import type { ItemTarget } from '../../../access/access.ts';
import { type AccountCaller, rightsOf } from '../../../access/caller.ts';
import { type FileAction, isPermitted } from '../../../access/rights.ts';
import { MAX_LISTED } from '../../../comments/comments.ts';
import { type KnownComment, listComments } from '../../../comments/list-comments.ts';
import { ApiError } from '../../../http/errors.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import type { SignedIn } from '../../shell/page-context.ts';
import type { FilesLinks } from '../addresses.ts';
import { type FilesPagesParts, segmentsOf } from '../context.ts';
import { commentBox, commentList, type ShownComment } from './list.ts';

/** The request that shows them. */
interface Looked {
  readonly parts: Pick<FilesPagesParts, 'files' | 'commentsContext' | 'clock'>;
  readonly links: FilesLinks;
  readonly visitor: SignedIn;
  readonly caller: AccountCaller;
}

/** The text entered, and why it was rejected. */
export interface TypedComment {
  readonly value: string;
  readonly problem: string | null;
}

/**
 * The comments on a file or folder, as far as the caller may read and write them; nothing if neither.
 * @param from the list the page was opened from, if not the folder
 */
export async function commentsSection(
  { parts, links, visitor, caller }: Looked,
  path: string,
  from: string | null,
  typed: TypedComment = { value: '', problem: null },
): Promise<Html> {
  const segments = segmentsOf(path);
  const target = await parts.files.access.resolve(caller, segments).catch((error) => {
    // Items in the trash have no comments.
    if (error instanceof ApiError) return null;
    throw error;
  });
  if (target?.kind !== 'item' || target.item.segments.length === 0) return html``;
  const may = mayIn(caller, target.item);
  const [mayRead, mayWrite] = [may('files/comments/list'), may('files/comments/add')];
  const comments = mayRead ? await listComments(parts.commentsContext, caller, segments) : [];
  if (!mayWrite && comments.length === 0) return html``;
  const carried = { form_token: visitor.formToken, path, ...(from === null ? {} : { from }) };
  const forms = { action: `${links.base}/comments`, hidden: carried };
  const isCut = comments.length === MAX_LISTED;
  return html`<section class="comments" aria-labelledby="comments"><h2 id="comments">${t('comments.heading')}</h2>${
    mayRead ? html`` : html`<p class="help">${t('comments.writeOnly')}</p>`
  }${isCut ? html`<p class="help">${t('comments.latest', { count: MAX_LISTED })}</p>` : html``}${commentList(comments.map(shown), parts.clock.now(), forms)}${
    mayWrite ? commentBox({ ...forms, ...typed }) : html``
  }</section>`;
}

function mayIn(caller: AccountCaller, { share }: ItemTarget): (action: FileAction) => boolean {
  return (action) => isPermitted(rightsOf(caller), share, action);
}

function shown({ id, uid, name, createdAt: at, comment: text, mayRemove }: KnownComment): ShownComment {
  return { id, name, personId: uid, isVisitor: uid === null && name !== null, at, text, mayRemove };
}
