import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import { hidden, problemNote } from '../../shell/form-fields.ts';
import { icon } from '../../shell/icons.ts';
import type { LinkPlace } from '../../shell/link-place.ts';
import type { Row } from '../context.ts';
import { type OptionFields, optionFields, type Problem, type Typed, type Visitors, valuesOf } from './form.ts';
import { endOfKnown, type KnownLink, stateOf } from './state.ts';

interface WeblinkPage {
  /** The form action. */
  readonly action: string;
  readonly back: string;
  readonly formToken: string;
  /** The heading, and what devices call the link when it is sent. */
  readonly heading: string;
  readonly title: string;
  /** The item; null for several. */
  readonly item: Pick<Row, 'name' | 'isDir'> | null;
  /** The title of the album that a link to several follows. */
  readonly album?: string | null;
  /** The names of the items of a link to several. */
  readonly names: readonly string[];
  /** The fields that say what the link is to. */
  readonly about: Readonly<Record<string, string>>;
  /** The permanent link, even if it has ended. */
  readonly permanent: KnownLink | null;
  readonly qr: Html | null;
  /** Temporary and single-download links that still work. */
  readonly extras: readonly KnownLink[];
  readonly others: readonly { readonly link: KnownLink; readonly by: string }[];
  /** If the item can no longer be shared further, its links can still be ended. */
  readonly mayMake: boolean;
  readonly visitors: readonly Visitors[];
  /** Whether the person wants to request files. */
  readonly isRequest?: boolean;
  readonly hasMail: boolean;
  readonly place: LinkPlace;
  /** Where the person may set the address on the internet; null for everyone but the owner. */
  readonly settings: string | null;
  /** The values entered, if they were rejected. */
  readonly values: Typed | null;
  readonly problem: Problem | null;
  readonly done: string | null;
  readonly now: number;
}

/** The form to make, change and end the link of a file or folder. Forms only: the script shows them in a dialog. */
export function weblinkPage(page: WeblinkPage): Html {
  const { item, heading, permanent, mayMake, problem, done, back, now } = page;
  const isOpen = permanent !== null && endOfKnown(permanent, now) === null;
  const isStranded = item !== null && !mayMake && (permanent !== null || page.extras.length > 0);
  const general = problem !== null && problem.parameter === null ? problem.text : null;
  return html`<div class="sheet"><section class="form weblink" data-close="${t('weblinks.close')}"><a class="back" href="${back}">${icon('left')}${item === null ? t('weblinks.several.back') : bidiIsolate(item.name)}</a><h1>${heading}</h1>
${problemNote(general)}${done === null ? html`` : html`<div class="note good done" role="status">${icon('check')}<span>${done}</span></div>`}${
  isStranded ? html`<div class="note care">${icon('alert')}<span>${t('weblinks.noPermission')}</span></div>` : html``
}
${item === null && permanent !== null && !isOpen ? endedNote(permanent, now, t('weblinks.several.ended')) : html``}${!mayMake ? html`` : isOpen ? html`${isOtherThanRequested(page, permanent) ? html`<div class="note care">${icon('alert')}<span>${t('weblinks.request.existing')}</span></div>` : html``}${linkBox(page, permanent)}${whereNote(page)}${changeForm(page, permanent)}` : createForm(page)}
${linkedItems(page)}${mayMake && item !== null ? extraLinks(page) : html``}${otherLinks(page)}${endForm(page, isOpen)}</section></div>`;
}

/** What remains of a link to several items after it was ended. */
export function endedPage(heading: string, done: string): Html {
  return html`<div class="sheet"><section class="form weblink" data-close="${t('weblinks.close')}"><h1>${heading}</h1><div class="note good done" role="status">${icon('check')}<span>${done}</span></div></section></div>`;
}

function endedNote(link: KnownLink, now: number, text: string): Html {
  return html`<div class="note care">${icon('alert')}<div><strong>${stateOf(link, now).join(', ')}</strong><p>${text}</p></div></div>`;
}

/** Links that work at home only say so, before a person sends one to a friend. */
function whereNote({ place: { reach, isWarned }, settings }: WeblinkPage): Html {
  if (reach === 'everywhere') return html``;
  const warning = isWarned ? html` ${t('weblinks.where.warning')}` : html``;
  const change = settings === null ? html`` : html` <a href="${settings}">${t('weblinks.where.change')}</a>`;
  return html`<div class="note care">${icon('home')}<div><strong>${t('weblinks.where.home')}</strong><p>${t('weblinks.where.homeHelp')}${warning}${change}</p></div></div>`;
}

/** The address, with its actions. */
function linkBox({ qr, title, now }: WeblinkPage, link: KnownLink): Html {
  return html`<div class="address"><div class="field"><label for="address">${t('weblinks.address')}</label>${copied('address', link.url)}</div>
<div class="about"><ul class="known" aria-label="${t('weblinks.settings')}">${stateOf(link, now).map((text) => html`<li>${text}</li>`)}</ul><div class="link-actions"><a class="button" href="${link.url}" target="_blank" rel="noopener">${t('weblinks.open')}<span class="unseen"> ${t('weblinks.newTab')}</span></a><button type="button" data-share="address" data-title="${title}" hidden>${t('weblinks.share')}</button></div>${qr ?? html``}</div></div>`;
}

/** @param state of one of several links, in a paragraph of its own */
function copied(id: string, url: string, state: string | null = null): Html {
  const named = state === null ? html`` : html` aria-label="${t('weblinks.extras.address', { state })}"`;
  const described = state === null ? html`` : html` aria-describedby="${id}-state"`;
  return html`<div class="copied-from"><input id="${id}" value="${url}" readonly${named}><button type="button" class="copy" data-copy="${id}" data-copied="${t('weblinks.copied')}"${described} hidden>${icon('copy')}<span>${t('weblinks.copy')}</span></button></div>`;
}

interface FormParts {
  readonly fields: Html;
  readonly buttons: Html;
  readonly more?: Html;
  /** Whether it is what the page is for. */
  readonly isMain?: boolean;
}

function wrap(page: WeblinkPage, { fields, buttons, more = html``, isMain = false }: FormParts): Html {
  const { action, formToken, about } = page;
  return html`<form class="act" method="post" action="${action}"${isMain ? html` data-main` : html``}>${hidden({ form_token: formToken, ...about })}${fields}<div class="actions">${buttons}</div>${more}</form>`;
}

function quickButtons(): Html {
  return html`<div class="quick">${formAction('single', t('weblinks.quick.single'))}${formAction('temporary', t('weblinks.quick.temporary'))}</div>`;
}

function formAction(value: string, text: string, kind = 'secondary'): Html {
  return html`<button class="${kind}" name="do" value="${value}">${text}</button>`;
}

function fieldsOf(page: WeblinkPage, more: Pick<OptionFields, 'values' | 'hasPassword' | 'passwordHelp'>): Html {
  const { visitors, hasMail, problem } = page;
  return optionFields({ visitors, hasMail, problem, ...more });
}

/** An ended link is replaced by one with the same options, as far as they are known, and a new expiry. */
function createForm(page: WeblinkPage): Html {
  const { permanent, values, item, names, album = null, isRequest = false } = page;
  const { reach } = page.place;
  const known = permanent === null ? {} : { ...valuesOf(permanent), expiry: '', download_limit: '' };
  const before = isRequest ? { ...known, visitors: 'send' } : known;
  const hadPassword = permanent?.password === true;
  const passwordHelp = retype(values) ?? (hadPassword ? t('weblinks.ended.password') : null);
  const fields = fieldsOf(page, { values: values ?? before, hasPassword: false, passwordHelp });
  const lead =
    permanent === null
      ? html`<p class="lead">${isRequest ? t('weblinks.request.lead', { reach }) : album !== null ? t('weblinks.album.lead', { reach, count: names.length }) : item === null ? t('weblinks.lead.several', { reach, count: names.length }) : item.isDir ? t('weblinks.lead.folder', { reach }) : t('weblinks.lead.file', { reach })}</p>${whereNote(page)}`
      : endedNote(permanent, page.now, t('weblinks.ended.lead'));
  const isOpen = values !== null || permanent !== null;
  const more = html`<details class="finer"${isOpen ? html` open` : html``}><summary>${t('weblinks.more')}</summary>${fields}</details>`;
  const create = formAction('create', permanent === null ? t('weblinks.create') : t('weblinks.ended.again'), 'primary');
  const quick =
    permanent === null && !isRequest
      ? html`<div class="or"><p>${t('weblinks.quick.lead')}</p>${quickButtons()}</div>`
      : html``;
  return html`${lead}${wrap(page, { fields: more, buttons: create, more: quick, isMain: true })}`;
}

/** Which items a link to several opens. */
function linkedItems({ names, item }: WeblinkPage): Html {
  if (item !== null) return html``;
  return html`<details class="finer linked-items"><summary>${t('weblinks.several.items', { count: names.length })}</summary><ul>${names.map((name) => html`<li>${bidiIsolate(name)}</li>`)}</ul></details>`;
}

function changeForm(page: WeblinkPage, link: KnownLink): Html {
  const { values, visitors } = page;
  const passwordHelp = retype(values) ?? (link.password ? t('weblinks.password.keep') : null);
  const mustChange = isOtherThanRequested(page, link);
  const known = valuesOf(link);
  // What visitors could do so far, they still can.
  const before = mustChange ? { ...known, visitors: visitors.includes('both') ? 'both' : 'send' } : known;
  const fields = fieldsOf(page, { values: values ?? before, hasPassword: link.password, passwordHelp });
  const kept = link.expiry === null ? html`` : hidden({ kept: link.expiry });
  return html`<details class="options"${values === null && !mustChange ? html`` : html` open`}><summary>${t('weblinks.options')}</summary>${wrap(page, { fields: html`${kept}${fields}`, buttons: formAction('save', t('weblinks.save'), 'primary'), isMain: mustChange })}</details>`;
}

/** Whether files are to be requested with a link whose visitors cannot send any. */
function isOtherThanRequested({ isRequest = false }: WeblinkPage, link: KnownLink): boolean {
  return isRequest && !link.allow_uploads;
}

/** Passwords are not sent back, so the field is empty and a note asks to enter it again. */
function retype(values: Typed | null): string | null {
  return values?.password === undefined || values.password === '' ? null : t('weblinks.password.retype');
}

function extraLinks(page: WeblinkPage): Html {
  const { extras, now, permanent } = page;
  // Without a permanent link, the form that makes one offers these, too.
  const canMake = permanent !== null;
  if (extras.length === 0 && !canMake) return html``;
  const list = html`<ul class="extras">${extras.map((link, index) => {
    const state = stateOf(link, now).join(', ');
    const id = `extra-${index}`;
    return html`<li><p id="${id}-state">${state}</p>${copied(id, link.url, state)}</li>`;
  })}</ul>`;
  return html`<div class="more-links"><h2>${t('weblinks.extras.heading')}</h2>${
    extras.length === 0 ? html`<p class="help">${t('weblinks.extras.lead')}</p>` : list
  }${canMake ? wrap(page, { fields: html``, buttons: quickButtons() }) : html``}</div>`;
}

function otherLinks({ others, now }: WeblinkPage): Html {
  if (others.length === 0) return html``;
  return html`<div class="more-links"><h2>${t('weblinks.others.heading')}</h2><ul class="extras">${others.map(
    ({ link, by }) =>
      html`<li><p><strong>${t('weblinks.others.by', { name: bidiIsolate(by) })}</strong></p><p>${stateOf(link, now).join(', ')}</p></li>`,
  )}</ul></div>`;
}

/** Asks for confirmation, without a script, too. */
function endForm(page: WeblinkPage, isOpen: boolean): Html {
  const { permanent, extras, others } = page;
  const count = extras.length + others.length;
  if (permanent === null && count === 0) return html``;
  const isOver = !isOpen && count === 0;
  const isMany = count > (isOpen ? 0 : 1);
  const lead = isOver
    ? t('weblinks.remove.lead')
    : t('weblinks.end.lead', { links: endedLinks(isOpen, extras.length, others.length) });
  const label = isOver ? t('weblinks.remove.label') : isMany ? t('weblinks.end.labelAll') : t('weblinks.end.label');
  const submit = isOver ? t('weblinks.remove.submit') : isMany ? t('weblinks.end.submitAll') : t('weblinks.end.submit');
  return html`<details class="end"><summary>${label}</summary>${wrap(page, { fields: html`<p>${lead}</p>`, buttons: formAction('end', submit, isOver ? 'secondary' : 'primary grave') })}</details>`;
}

/** Which links end together. @param isOpen whether the permanent one still works */
function endedLinks(isOpen: boolean, extras: number, others: number): string {
  if (isOpen && extras > 0) return others > 0 ? 'withAll' : 'withExtras';
  if (isOpen) return others > 0 ? 'withOthers' : 'one';
  if (extras + others === 1) return 'one';
  return extras > 0 && others > 0 ? 'severalWithOthers' : 'several';
}
