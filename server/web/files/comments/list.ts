import { avatarColour } from '../../../lib/text/avatar-colour.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import { initialOf } from '../../shell/avatar.ts';
import { hidden } from '../../shell/form-fields.ts';
import { icon } from '../../shell/icons.ts';
import { when } from '../../shell/relative-time.ts';

/** A comment as a page shows it. */
export interface ShownComment {
  readonly id: number;
  /** Null where the name is hidden. */
  readonly name: string | null;
  /** The account, if it may be shown. */
  readonly personId: number | null;
  /** Whether the name was entered by a visitor without an account: such names are marked. */
  readonly isVisitor: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  readonly mayRemove: boolean;
}

/** Where the forms go, and what they carry beside the text. */
interface CommentForms {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
}

/** The comments, oldest first. Styles: `comments.css`. @param forms null where nothing can be deleted */
export function commentList(comments: readonly ShownComment[], now: number, forms: CommentForms | null): Html {
  if (comments.length === 0) return html``;
  return html`<ol class="comment-list">${comments.map((comment) => commentItem(comment, now, forms))}</ol>`;
}

function commentItem(comment: ShownComment, now: number, forms: CommentForms | null): Html {
  const { id, personId, isVisitor, at, text } = comment;
  const name = comment.name ?? t('comments.anonymous');
  const visitor = isVisitor ? html` <span class="visitor">${t('comments.visitor')}</span>` : html``;
  const remove = forms !== null && comment.mayRemove ? removeForm(id, name, forms) : html``;
  return html`<li id="comment-${id}"><span class="avatar ${avatarColour(personId ?? name)}" aria-hidden="true">${initialOf(name)}</span><div><p class="by"><bdi>${name}</bdi>${visitor} ${when(at, now)}</p><p class="comment-text" dir="auto">${text}</p>${remove}</div></li>`;
}

/** Asks for confirmation, without a script, too. */
function removeForm(id: number, name: string, forms: CommentForms): Html {
  return html`<details class="remove"><summary aria-label="${t('comments.remove.label', { name: bidiIsolate(name) })}" title="${t('comments.remove.submit')}">${icon('trash')}</summary><form method="post" action="${forms.action}">${hidden({ ...forms.hidden, id: String(id) })}<p>${t('comments.remove.lead')}</p><button class="danger" name="do" value="remove">${t('comments.remove.submit')}</button></form></details>`;
}

interface CommentBox extends CommentForms {
  /** The text entered, if it was rejected. */
  readonly value: string;
  readonly problem: string | null;
  /** Further fields above the box: the visitor's name. */
  readonly fields?: Html;
}

/** Characters that a browser accepts. It counts some of them twice, which the server does not. */
const MAX_TYPED = 4_000;

/** The form to write a comment. */
export function commentBox({ action, hidden: carried, value, problem, fields = html`` }: CommentBox): Html {
  const wrong = problem === null ? html`` : html` aria-invalid="true" aria-describedby="comment-problem"`;
  const why =
    problem === null ? html`` : html`<p class="error" id="comment-problem">${icon('alert')}<span>${problem}</span></p>`;
  // HTML drops the first line break in a textarea, so one is added.
  return html`<form class="comment-form" method="post" action="${action}">${hidden({ ...carried })}${fields}<label class="unseen" for="comment">${t('comments.write')}</label><textarea id="comment" name="comment" rows="1" maxlength="${MAX_TYPED}" required dir="auto" placeholder="${t('comments.write')}"${wrong}>
${value}</textarea>${why}<div class="actions"><button name="do" value="add">${t('comments.submit')}</button></div></form>`;
}
