import { type Html, html } from '../../../lib/text/html.ts';
import { t, tHtml } from '../../../messages/messages.ts';
import { type AppPassword, SHARING_SCOPES } from '../../../oauth/app-passwords.ts';
import { field, hidden } from '../../shell/form-fields.ts';
import { icon } from '../../shell/icons.ts';
import type { SignedIn } from '../../shell/page-context.ts';
import { when } from '../../shell/relative-time.ts';
import { confirmFields } from '../forms.ts';
import { useOf } from './last-use.ts';
import { type DavAddress, knownName, nameOf, PROGRAMS, type Program, type ProgramName, programIn } from './programs.ts';

/** An app password, and the path of its folder: undefined without one, null for one that the person does not reach. */
export interface ListedPassword extends AppPassword {
  readonly folder: string | null | undefined;
}

/** What was entered in the form, and why it was rejected, by field. */
export interface Entered {
  readonly label: string;
  readonly isReadOnly: boolean;
  readonly folder: string;
  readonly expires: string;
  readonly problems: Readonly<Record<string, string>>;
}

const NOTHING_ENTERED: Entered = { label: '', isReadOnly: false, folder: '', expires: '', problems: {} };

interface ProgramsPage {
  /** Base address of the account pages, with a slash at its end. */
  readonly base: string;
  /** The page "Add a device". */
  readonly trust: string;
  readonly visitor: SignedIn;
  readonly program: ProgramName;
  /** The programs that can connect. */
  readonly names: readonly ProgramName[];
  readonly address: DavAddress;
  /** Whether the owner allows programs to connect. */
  readonly isAllowed: boolean;
  /** The address of the control panel, for those who may open it; otherwise null. */
  readonly panel: string | null;
  /** Null while the form is closed. */
  readonly entered: Entered | null;
  readonly passwords: readonly ListedPassword[];
  readonly now: number;
}

export function programsPage(page: ProgramsPage): Html {
  const { base, program, names, isAllowed } = page;
  return html`<h1>${t('programs.heading')}</h1><p class="lead">${t('programs.lead')}</p>${isAllowed ? html`` : closedNote(page)}
<nav class="programs" aria-label="${t('programs.choose')}"><ul>${names.map(
    (name) =>
      html`<li><a href="${base}programs?program=${name}"${name === program ? html` aria-current="true"` : html``}>${icon(PROGRAMS[name].icon)}<span>${nameOf(name)}</span></a></li>`,
  )}</ul></nav>
${connectSection(page)}${listSection(page)}`;
}

function closedNote({ panel }: ProgramsPage): Html {
  const text =
    panel === null
      ? t('programs.closed')
      : tHtml('programs.closedByYou', {
          change: html`<a href="${panel}#/api/settings">${t('programs.closedChange')}</a>`,
        });
  return html`<p class="note care">${icon('warning')}<span>${text}</span></p>`;
}

function connectSection({ base, trust, visitor, program, address, entered }: ProgramsPage): Html {
  const { steps, fields, opensPage }: Program = PROGRAMS[program];
  const shown = [...fields(address), { name: t('programs.username'), value: visitor.session.account.username }];
  const install = html`<a href="${trust}">${t('programs.certificate.install')}</a>`;
  return html`<section class="connect"><h2>${nameOf(program)}</h2><p>${steps()}</p>
${shown.map(({ name, value }, index) => copied(`copy-${index}`, name, value))}
<p class="help">${tHtml('programs.certificate', { install })}</p>
${
  opensPage
    ? html`<p class="help">${t('programs.opensPage')}</p></section>`
    : html`<details class="create"${entered === null ? html`` : html` open`}><summary><span>${t('programs.once')}</span><span class="button primary">${icon('key')}${t('programs.create.do')}</span></summary>
${createForm(base, visitor, program, entered ?? NOTHING_ENTERED)}</details></section>`
}`;
}

/** A value with a button that copies it, which the script shows. */
function copied(id: string, name: string, value: string): Html {
  return html`<div class="copied"><label for="${id}">${name}</label><input id="${id}" value="${value}" readonly><button type="button" data-copy="${id}" data-copied="${t('programs.copied')}" aria-label="${t('programs.copyOf', { name })}" hidden>${icon('copy')}<span>${t('programs.copy')}</span></button></div>`;
}

function createForm(base: string, visitor: SignedIn, program: ProgramName, entered: Entered): Html {
  const { label, isReadOnly, folder, expires, problems } = entered;
  return html`<form method="post" action="${base}programs/create">${hidden({ form_token: visitor.formToken, program })}
<input class="unseen" name="username" value="${visitor.session.account.username}" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
${field({ name: 'label', label: t('programs.create.label'), value: label, help: t('programs.create.labelHelp'), problem: problems.label })}
<div class="pair">${field({ name: 'folder', label: t('programs.create.folder'), value: folder, help: t('programs.create.folderHelp'), problem: problems.folder, isRequired: false })}
${field({ name: 'expires', label: t('programs.create.expires'), type: 'date', value: expires, help: t('programs.create.expiresHelp'), problem: problems.expires, isRequired: false })}</div>
<div class="check"><input type="checkbox" id="read_only" name="read_only" value="1"${isReadOnly ? html` checked` : html``} aria-describedby="read-only-help"><label for="read_only">${t('programs.create.readOnly')}</label><p class="help" id="read-only-help">${t('programs.create.readOnlyHelp')}</p></div>
${confirmFields({ visitor, problems })}
<div class="actions"><button class="primary">${t('programs.create.do')}</button></div></form>`;
}

/** The new password, shown only once. */
export function madePage({
  base,
  program,
  address,
  username,
  label,
  password,
}: Pick<ProgramsPage, 'base' | 'program' | 'address'> & {
  readonly username: string;
  readonly label: string;
  readonly password: string;
}): Html {
  const { fields, remember }: Program = PROGRAMS[program];
  const step = (name: string, value: string) =>
    html`<li>${tHtml('programs.made.step', { name, value: html`<strong>${value}</strong>` })}`;
  const kept = remember === undefined ? html`` : html`<strong>${remember()}</strong>`;
  const lead =
    program === 'other' ? t('programs.made.leadOther') : t('programs.made.lead', { program: nameOf(program) });
  return html`<h1>${t('programs.made.heading', { label })}</h1><p class="lead">${lead}</p>
<section class="form made"><div class="secret"><code id="password" translate="no">${password}</code><button type="button" data-copy="password" data-copied="${t('programs.copied')}" aria-label="${t('programs.copyOf', { name: t('programs.made.password') })}" hidden>${icon('copy')}<span>${t('programs.copy')}</span></button></div>
<p class="note care">${icon('warning')}<span>${t('programs.made.once')}</span></p>
<ol>${fields(address).map(({ name, value }) => html`${step(name, value)}</li>`)}${step(t('programs.username'), username)}</li>
<li>${tHtml('programs.made.step', { name: t('programs.made.password'), value: html`${t('programs.made.passwordAbove')}` })}${
    remember === undefined ? html`` : html`. ${tHtml('programs.made.remember', { remember: kept })}`
  }</li></ol>
<div class="actions"><a class="button primary" href="${base}programs?program=${program}">${t('programs.made.done')}</a></div></section>`;
}

function listSection({ base, visitor, passwords, now }: ProgramsPage): Html {
  const rows = passwords.map((one) => {
    const program = programIn(one.program) ?? 'other';
    const revoke = t('programs.list.revokeOf', { label: one.label });
    return html`<li><span class="tile plain">${icon(PROGRAMS[program].icon)}</span><div><h3>${one.label}</h3><p class="meta">${factsOf(one, now)}</p></div>
<form method="post" action="${base}programs/revoke">${hidden({ form_token: visitor.formToken, id: String(one.id) })}<button class="danger" aria-label="${revoke}">${t('programs.list.revoke')}</button></form></li>`;
  });
  return html`<section id="app-passwords"><div class="split"><h2>${t('programs.list.heading')}</h2><p>${t('programs.list.count', { count: passwords.length })}</p></div>
${rows.length === 0 ? html`` : html`<ul class="rows">${rows}</ul>`}</section>`;
}

function factsOf(
  { program, app, createdAt, lastUsed, isReadOnly, scopes, folder, expiresAt }: ListedPassword,
  now: number,
) {
  const facts = [
    ...knownName(program).map((name) => html`${name}`),
    app === null
      ? tHtml('programs.list.created', { when: when(createdAt, now) })
      : tHtml('programs.list.by', { app: app.name, when: when(createdAt, now) }),
    useOf({ lastUsed, createdAt }, now),
    ...(isReadOnly ? [html`${t('programs.list.readOnly')}`] : []),
    ...(SHARING_SCOPES.some((scope) => scopes.has(scope)) ? [html`${t('programs.list.sharing')}`] : []),
    ...(folder === undefined ? [] : [html`${limitText(folder)}`]),
    ...(expiresAt === null ? [] : [tHtml('programs.list.expires', { when: when(expiresAt, now) })]),
  ];
  return facts.map((fact, index) => (index === 0 ? fact : html` · ${fact}`));
}

/** @param folder below the person's own files; null where it is gone */
function limitText(folder: string | null): string {
  if (folder === null) return t('programs.list.folderGone');
  return folder === '/' ? t('programs.list.ownFiles') : t('programs.list.folder', { folder });
}
