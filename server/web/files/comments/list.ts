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
  /** Null where nobody may be named. */
  readonly name: string | null;
  /** Of an account that is named. */
  readonly personId: number | null;
  /** Whether the name is what somebody without an account says they are called: it is told apart from those of people. */
  readonly isVisitor: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
  readonly mayRemove: boolean;
}

/** Where the forms go, and what they carry beside what people type. */
export interface CommentForms {
  readonly action: string;
  readonly hidden: Readonly<Record<string, string>>;
}

/** What people said, the oldest first. Styles: `comments.css`. @param forms null where nothing can be taken away */
export function commentList(comments: readonly ShownComment[], now: number, forms: CommentForms | null): Html {
  if (comments.length === 0) return html``;
  return html`<ol class="said">${comments.map((comment) => commentItem(comment, now, forms))}</ol>`;
}

function commentItem(comment: ShownComment, now: number, forms: CommentForms | null): Html {
  const { id, personId, isVisitor, at, text } = comment;
  const name = comment.name ?? t('comments.anonymous');
  const visitor = isVisitor ? html` <span class="visitor">${t('comments.visitor')}</span>` : html``;
  const remove = forms !== null && comment.mayRemove ? removeForm(id, name, forms) : html``;
  return html`<li id="comment-${id}"><span class="avatar ${avatarColour(personId ?? name)}" aria-hidden="true">${initialOf(name)}</span><div><p class="by"><bdi>${name}</bdi>${visitor} ${when(at, now)}</p><p class="words" dir="auto">${text}</p>${remove}</div></li>`;
}

/** Asks first, without a script, too. */
function removeForm(id: number, name: string, forms: CommentForms): Html {
  return html`<details class="remove"><summary aria-label="${t('comments.remove.label', { name: bidiIsolate(name) })}" title="${t('comments.remove.submit')}">${icon('trash')}</summary><form method="post" action="${forms.action}">${hidden({ ...forms.hidden, id: String(id) })}<p>${t('comments.remove.lead')}</p><button class="danger" name="do" value="remove">${t('comments.remove.submit')}</button></form></details>`;
}

export interface CommentBox extends CommentForms {
  /** What was typed, where it was refused. */
  readonly value: string;
  readonly problem: string | null;
  /** Further fields, above the box: who somebody is. */
  readonly fields?: Html;
}

/** Characters that a browser lets somebody type. It counts some of them twice, which the server does not. */
const MOST_TYPED = 4_000;

/** The box to write a comment in. */
export function commentBox({ action, hidden: carried, value, problem, fields = html`` }: CommentBox): Html {
  const wrong = problem === null ? html`` : html` aria-invalid="true" aria-describedby="comment-problem"`;
  const why =
    problem === null ? html`` : html`<p class="error" id="comment-problem">${icon('alert')}<span>${problem}</span></p>`;
  // The first line break in it is none of what was typed.
  return html`<form class="saying" method="post" action="${action}">${hidden({ ...carried })}${fields}<label class="unseen" for="comment">${t('comments.write')}</label><textarea id="comment" name="comment" rows="1" maxlength="${MOST_TYPED}" required dir="auto" placeholder="${t('comments.write')}"${wrong}>
${value}</textarea>${why}<div class="actions"><button name="do" value="add">${t('comments.submit')}</button></div></form>`;
}
