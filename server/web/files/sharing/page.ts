import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { listOf, t } from '../../../messages/messages.ts';
import type { ShareFlag } from '../../../shares/share-record.ts';
import type { NamedRecipient } from '../../../sharing/recipients.ts';
import type { SharedWith } from '../../../sharing/shares-of.ts';
import { field, hidden, problemNote } from '../../shell/form-fields.ts';
import { icon } from '../../shell/icons.ts';
import type { Row } from '../context.ts';

/** The levels of access that people choose from. Nothing can be added to a file. */
export const LEVELS = ['look', 'add', 'change'] as const;
type Level = (typeof LEVELS)[number];

/** A guest's link, shown only once. */
export interface ShownLink {
  readonly name: string;
  readonly email: string;
  readonly address: string;
  readonly until: string;
  readonly isMailed: boolean;
}

interface SharePage {
  /** The form action. */
  readonly action: string;
  readonly back: string;
  readonly formToken: string;
  readonly row: Row;
  readonly shares: readonly SharedWith[];
  readonly recipients: readonly NamedRecipient[];
  readonly mayInvite: boolean;
  readonly link: ShownLink | null;
  /** The values entered, if they were rejected. */
  readonly values: Readonly<Record<string, string>>;
  readonly problem: string | null;
  readonly done: string | null;
}

/** The recipients of an item, and the form to add another. Forms only: the script shows them in a dialog. */
export function sharePage(page: SharePage): Html {
  const { row, shares, link, problem, done, back } = page;
  return html`<div class="sheet"><section class="form share" data-close="${t('sharing.close')}"><a class="back" href="${back}">${icon('left')}${bidiIsolate(row.name)}</a><h1>${t('sharing.heading', { name: bidiIsolate(row.name) })}</h1>
${problemNote(problem)}${done === null ? html`` : html`<div class="note good done" role="status">${icon('check')}<span>${done}</span></div>`}
${link === null ? html`` : linkBox(link)}
<h2>${t('sharing.with.heading')}</h2>
${shares.length === 0 ? html`<p class="help">${t('sharing.with.none')}</p>` : html`<ul class="sharers">${shares.map((share) => sharer(page, share))}</ul>`}
${addForm(page)}
${page.mayInvite ? guestForm(page) : html``}</section></div>`;
}

function linkBox({ name, email, address, until, isMailed }: ShownLink): Html {
  return html`<div class="guest-link"><h2>${t('sharing.link.heading', { name })}</h2><p>${t('sharing.link.lead')} ${isMailed ? t('sharing.link.mailed', { email }) : ''} ${t('sharing.link.until', { date: until })}</p>
<div class="field"><label for="guest-link">${t('sharing.link.label')}</label><div class="copied-from"><input id="guest-link" value="${address}" readonly><button type="button" class="copy" data-copy="guest-link" data-copied="${t('sharing.link.copied')}" hidden>${icon('copy')}<span>${t('sharing.link.copy')}</span></button></div></div></div>`;
}

function sharer(page: SharePage, share: SharedWith): Html {
  const { to, flags, isAnonymous, alias, by, id } = share;
  const about = listOf([
    t(`sharing.rights.${levelOf(flags)}`),
    flags.download ? '' : t('sharing.rights.noDownload'),
    flags.share ? t('sharing.rights.share') : '',
    isAnonymous ? t('sharing.anonymous') : '',
    alias === '' ? '' : t('sharing.alias', { name: bidiIsolate(alias) }),
    by === null ? '' : t('sharing.by', { name: bidiIsolate(by) }),
  ]);
  const drawing = icon(to.kind === 'group' ? 'users' : 'user');
  const end = html`<button class="danger" name="do" value="stop">${t('sharing.stop')}</button>`;
  const renew = to.kind === 'guest' && by === null && page.mayInvite;
  // Shares made by others can be ended here, but not changed.
  const inner =
    by === null
      ? html`<details><summary aria-label="${t('sharing.changeFor', { name: to.name })}">${t('sharing.change')}</summary>${wrap(
          page,
          html`${hidden({ to: recipientKey(to) })}${rightsFields(`s${id}`, sharedKind(page.row), { level: levelOf(flags), flags, isAnonymous, alias })}`,
          html`<button class="primary" name="do" value="change">${t('sharing.save')}</button>${renew ? html`<button name="do" value="link">${t('sharing.newLink')}</button>` : html``}${end}`,
        )}</details>`
      : wrap(page, hidden({ to: recipientKey(to) }), end);
  return html`<li><div class="whose">${drawing}<div><span class="name">${to.name}</span><span class="about">${t(`sharing.kinds.${to.kind}`)} · ${about}</span></div></div>${inner}</li>`;
}

/** @param buttons the main one first: it is the one that Enter presses */
function wrap({ action, formToken, row }: SharePage, fields: Html, buttons: Html): Html {
  return html`<form class="act" method="post" action="${action}">${hidden({ form_token: formToken, path: row.path })}${fields}<div class="actions">${buttons}</div></form>`;
}

function addForm(page: SharePage): Html {
  const { recipients, shares, values, row } = page;
  const shared = new Set(shares.filter(({ by }) => by === null).map(({ to }) => recipientKey(to)));
  const left = recipients.filter((one) => !shared.has(recipientKey(one)));
  if (left.length === 0) {
    return page.mayInvite || shares.length > 0 ? html`` : html`<p class="help">${t('sharing.add.noOne')}</p>`;
  }
  const fields = newShareFields(left, sharedKind(row), values);
  return html`<h2>${t('sharing.add.heading')}</h2>${wrap(page, fields, html`<button class="primary" name="do" value="share">${t('sharing.add.submit')}</button>`)}`;
}

/** What is shared: it decides what the levels of access mean. */
export type Shared = 'file' | 'folder' | 'several';

function sharedKind({ isDir }: Row): Shared {
  return isDir ? 'folder' : 'file';
}

/** The fields of a new share. */
export function newShareFields(recipients: readonly NamedRecipient[], what: Shared, values: SharePage['values']): Html {
  const options = (kind: NamedRecipient['kind'], label: string) => {
    const some = recipients.filter((one) => one.kind === kind);
    if (some.length === 0) return html``;
    return html`<optgroup label="${label}">${some.map((one) => {
      const key = recipientKey(one);
      return html`<option value="${key}"${values.to === key ? html` selected` : html``}>${one.name}</option>`;
    })}</optgroup>`;
  };
  return html`<div class="field"><label for="to">${t('sharing.add.who')}</label><select id="to" name="to" required><option value="">${t('sharing.add.choose')}</option>${options('group', t('sharing.add.groups'))}${options('user', t('sharing.add.people'))}${options('guest', t('sharing.add.guests'))}</select></div>${rightsFields('new', what, typedIn(values))}`;
}

function guestForm(page: SharePage): Html {
  const { values, row } = page;
  const isTried = values.email !== undefined;
  const typed = (name: string) => ({ value: values[name] ?? '' });
  const fields = html`<p class="help">${t('sharing.guest.lead')}</p>${field({ name: 'name', label: t('sharing.guest.name'), autocomplete: 'off', ...typed('name') })}${field({ name: 'email', label: t('sharing.guest.email'), type: 'email', ...typed('email') })}${rightsFields('guest', sharedKind(row), typedIn(values))}`;
  const form = wrap(
    page,
    fields,
    html`<button class="primary" name="do" value="invite">${t('sharing.guest.submit')}</button>`,
  );
  return html`<details class="invite"${isTried ? html` open` : html``}><summary>${icon('mail')}<span>${t('sharing.guest.heading')}</span></summary>${form}</details>`;
}

interface Rights {
  readonly level: Level;
  readonly flags: Readonly<Pick<Record<ShareFlag, boolean>, 'download' | 'comment' | 'read_comments' | 'share'>>;
  readonly isAnonymous: boolean;
  readonly alias: string;
}

/** @param prefix makes the ids in this form unique */
function rightsFields(prefix: string, what: Shared, { level, flags, isAnonymous, alias }: Rights): Html {
  const box = (name: string, label: string, isOn: boolean) =>
    html`<div class="check"><input type="checkbox" id="${prefix}-${name}" name="${name}" value="1"${isOn ? html` checked` : html``}><label for="${prefix}-${name}">${label}</label></div>`;
  const levels = what === 'file' ? LEVELS.filter((one) => one !== 'add') : LEVELS;
  const chosen = what === 'file' && level === 'add' ? 'look' : level;
  return html`<fieldset class="levels"><legend>${t('sharing.permissions.legend')}</legend>${levels.map((one) => {
    const id = `${prefix}-${one}`;
    const label = t(`sharing.permissions.${one}.label`);
    const help = t(`sharing.permissions.${one}.help`, { what: what === 'file' ? 'file' : 'other' });
    return html`<div class="level"><input type="radio" id="${id}" name="level" value="${one}"${one === chosen ? html` checked` : html``} aria-describedby="${id}-help"><label for="${id}">${label}</label><p class="help" id="${id}-help">${help}</p></div>`;
  })}</fieldset><details class="finer"><summary>${t('sharing.permissions.more')}</summary>${box('download', t('sharing.permissions.download'), flags.download)}${box('comments', t('sharing.permissions.comments'), flags.comment)}${box('further', t('sharing.permissions.further'), flags.share)}${box('unnamed', t('sharing.permissions.anonymous'), isAnonymous)}${
    what === 'folder'
      ? html`<div class="field"><label for="${prefix}-alias">${t('sharing.permissions.alias')}</label><input id="${prefix}-alias" name="alias" autocomplete="off" value="${alias}" aria-describedby="${prefix}-alias-help"><p class="help" id="${prefix}-alias-help">${t('sharing.permissions.aliasHelp')}</p></div>`
      : html``
  }</details>`;
}

function levelOf({ upload, alter }: Readonly<Record<'upload' | 'alter', boolean>>): Level {
  return alter ? 'change' : upload ? 'add' : 'look';
}

/** The values entered, or the defaults. */
function typedIn(values: SharePage['values']): Rights {
  const isTried = values.level !== undefined;
  const isOn = (name: string, atFirst: boolean) => (isTried ? values[name] === '1' : atFirst);
  const comments = isOn('comments', true);
  return {
    level: LEVELS.find((level) => level === values.level) ?? 'look',
    flags: {
      download: isOn('download', true),
      comment: comments,
      read_comments: comments,
      share: isOn('further', false),
    },
    isAnonymous: isOn('unnamed', false),
    alias: values.alias ?? '',
  };
}

/** The key of a recipient in a form: `u3`, `g2`. */
function recipientKey({ recipient }: NamedRecipient): string {
  return recipient.uid === null ? `g${recipient.gid}` : `u${recipient.uid}`;
}
