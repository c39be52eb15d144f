import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import type { TextFormat } from '../../../lib/text/edited-text.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import type { PageAssets } from '../../shell/assets/page-assets.ts';
import { hidden } from '../../shell/form-fields.ts';
import { sprite } from '../../shell/icons.ts';
import type { FilesLinks } from '../addresses.ts';

/** A text as its form has it. */
export interface EditedFile {
  readonly text: string;
  readonly format: TextFormat;
  /** Of the content that it was made from, with its quotes; empty for a file that is not there. */
  readonly etag: string;
}

/** Why it was not saved. */
export interface NotSaved {
  readonly message: string;
  /** Whether it can be saved beside the file. */
  readonly canCopy: boolean;
  /** Whether saving it again replaces what others have saved meanwhile. */
  readonly isForced: boolean;
}

interface EditorPage {
  readonly links: FilesLinks;
  readonly path: string;
  readonly name: string;
  /** Null for what cannot be edited here. */
  readonly edited: EditedFile | null;
  readonly notSaved: NotSaved | null;
  readonly formToken: string;
  readonly assets: PageAssets;
}

/** The page that edits a text: one form, to which the script adds keys and a question before changes are lost. */
export function editorMain({ links, path, name, edited, notSaved, formToken, assets }: EditorPage): Html {
  const item = links.item(path);
  const back = html`<a class="back" href="${item}">${sprite('left')}<span>${bidiIsolate(name)}</span></a>`;
  if (edited === null) {
    return html`${assets.load('editing')}<div class="sheet"><section class="form">${back}<h1>${t('editing.cannot.heading')}</h1><p>${t('editing.cannot.lead')}</p><div class="actions"><a class="button primary" href="${item}">${t('editing.cannot.back')}</a></div></section></div>`;
  }
  const { text, format, etag } = edited;
  const kept = hidden({ form_token: formToken, path, etag, ending: format.ending, mark: format.hasMark ? '1' : '' });
  // The parser drops the first line feed of a text area.
  return html`${assets.load('editing')}<div class="text-editor${notSaved === null ? '' : ' changed'}"><form method="post" action="${links.edit(path)}">${kept}
<div class="editor-bar">${back}<h1 class="unseen">${t('editing.heading', { name: bidiIsolate(name) })}</h1><div class="actions"><a class="button cancel" href="${item}">${t('files.forms.cancel')}</a><button class="primary" name="do" value="save">${t(notSaved?.isForced === true ? 'editing.saveAnyway' : 'editing.save')}</button></div></div>
${notSaved === null ? html`` : problem(notSaved)}
<label class="unseen" for="text">${t('editing.label', { name: bidiIsolate(name) })}</label><textarea id="text" name="text" autofocus autocomplete="off" spellcheck="true">
${text}</textarea></form></div>`;
}

function problem({ message, canCopy }: NotSaved): Html {
  return html`<div class="note problem" role="alert">${sprite('alert')}<span>${message}</span>${
    canCopy ? html`<button name="do" value="copy">${t('editing.saveCopy')}</button>` : html``
  }</div>`;
}
