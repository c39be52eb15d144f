import { allowedTypes, type Limits, maxUploadBytes } from '../../access/limits.ts';
import { fileKind } from '../../lib/names/file-types.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { humanSize } from '../../listing/human.ts';
import { t } from '../../messages/messages.ts';
import type { SentFile } from '../../weblinks/sent-files.ts';
import { field, hidden, problemNote } from '../shell/form-fields.ts';
import { icon, sprite } from '../shell/icons.ts';
import { shownName } from '../shell/shown-name.ts';
import type { LinkAddresses } from './addresses.ts';

interface SendForm {
  readonly to: LinkAddresses;
  /** The destination folder, below the linked item. */
  readonly path: string;
  readonly formToken: string;
  /** The visitor's name; null for a signed-in account. */
  readonly sender: string | null;
  /** The first name of the link's maker. */
  readonly owner: string;
  /** Everyone whose upload limits apply. */
  readonly limits: Limits;
  readonly problem: string | null;
  readonly isSent: boolean;
  readonly sent: readonly SentFile[];
  readonly icons: string;
  /** Where sent files can be seen; null where they cannot. */
  readonly folder: string | null;
}

/**
 * The form to send files: one at a time without JavaScript, any number with it. Below it is what this visitor has sent, and
 * nothing of others.
 */
export function sendForm(form: SendForm): Html {
  const { to, path, formToken, sender, owner, limits, problem, isSent, folder } = form;
  const most = maxUploadBytes(limits);
  const isLimited = most < Number.MAX_SAFE_INTEGER;
  const types = typesOf(limits);
  const help = limitsText(isLimited ? humanSize(most) : null, types);
  const accept = types.length === 0 ? html`` : html` accept="${types.map((type) => `.${type}`).join(',')}"`;
  const name =
    sender === null
      ? html``
      : field({
          name: 'sender',
          label: t('links.send.name'),
          value: sender,
          autocomplete: 'name',
          help: t('links.send.nameHelp', { name: owner }),
        });
  return html`${isSent ? html`<div class="note good" role="status">${sprite('check')}<span>${t('links.send.thanks', { name: owner })}</span></div>` : html``}${problemNote(problem)}<form class="send" method="post" enctype="multipart/form-data" action="${to.form('send', path)}" data-upload="${to.upload(path)}" data-token="${formToken}" data-max="${isLimited ? most : 0}" data-types="${types.join(',')}" data-icons="${form.icons}"${folder === null ? html`` : html` data-folder="${folder}"`}>${hidden({ form_token: formToken })}${name}
<div class="drop"><span class="cloud">${icon('cloud')}</span><div class="field plain"><label for="file">${t('links.send.chooseOne')}</label><input id="file" type="file" name="file"${accept} required></div>${help === '' ? html`` : html`<p class="help">${help}</p>`}</div>
<div class="actions"><button class="primary">${t('links.send.submit')}</button></div></form>
<div class="sendings" hidden></div>${sentList(form)}`;
}

/** The upload limits, shown below the field. @param size of one file; null without a limit */
function limitsText(size: string | null, types: readonly string[]): string {
  const names = types.map((type) => `.${type}`).join(' ');
  if (size === null) return names;
  return names === '' ? t('links.send.limit.size', { size }) : t('links.send.limit.both', { types: names, size });
}

function sentList({ sent, icons }: SendForm): Html {
  if (sent.length === 0) return html``;
  return html`<section class="sent"><h2>${t('links.send.before')}</h2><ul>${sent.map(
    ({ name, size }) =>
      html`<li><img src="${icons}/${fileKind(name, false).type}.svg" width="36" height="36" alt=""><span class="name">${shownName(name)}</span><span class="bytes">${humanSize(size)}</span><span class="state good">${sprite('check')}${t('links.send.sent')}</span></li>`,
  )}</ul></section>`;
}

/** The types that everyone involved allows; empty: all types. */
function typesOf(limits: Limits): readonly string[] {
  const lists = limits.map(allowedTypes).filter(({ length }) => length > 0);
  const [first = [], ...others] = lists;
  return first.filter((type) => others.every((list) => list.includes(type)));
}
