import { HOME_BASE, homePathOf } from '../../../access/access.ts';
import { missingPermissionFor } from '../../../access/rights.ts';
import type { AccountRecord } from '../../../accounts/accounts.ts';
import { isOpen } from '../../../imports/change-imports.ts';
import type { ImportArchive, ImportRecord } from '../../../imports/imports.ts';
import type { Note } from '../../../imports/reasons.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { humanSize } from '../../../listing/human.ts';
import { LOCALE } from '../../../messages/catalogue.ts';
import { t, tHtml } from '../../../messages/messages.ts';
import { field, hidden, problemNote } from '../../shell/form-fields.ts';
import { sprite } from '../../shell/icons.ts';
import type { FilesLinks } from '../addresses.ts';
import type { NamedPath, Row } from '../context.ts';

/** Entries of one reason that are shown; the API has all of them. */
const SHOWN_ENTRIES = 200;
/** Where people get a copy of their photos. */
const SITES = { google: 'takeout.google.com', apple: 'privacy.apple.com' } as const;

/** Whether an account can import photos. */
export function canImport({ homeId, permissions }: Pick<AccountRecord, 'homeId' | 'permissions'>): boolean {
  return homeId !== null && missingPermissionFor('imports/add', permissions) === null;
}

interface Page {
  readonly links: FilesLinks;
  /** The list of photos, by its name. */
  readonly photos: NamedPath;
  readonly formToken: string;
}

interface ImportsPage extends Page {
  /** The ZIP files of the home. */
  readonly archives: readonly Row[];
  /** The uuids of those that are selected. */
  readonly selected: ReadonlySet<string>;
  /** Below the home. */
  readonly target: string;
  readonly folderAlbums: boolean;
  readonly problem: string | null;
  /** How many parts of an export are not selected; those who know may start without them. */
  readonly missing: number;
  readonly imports: readonly ImportRecord[];
}

/** How to get an export, the form that starts an import, and the imports there are. */
export function importsMain(page: ImportsPage): Html {
  const { links, photos, imports } = page;
  const service = (name: keyof typeof SITES) => {
    const site = html`<a href="https://${SITES[name]}/" rel="noreferrer">${SITES[name]}</a>`;
    return html`<dt>${t(`imports.step.request.${name}.name`)}</dt><dd>${tHtml(`imports.step.request.${name}`, { site })}</dd>`;
  };
  const mac = html`<dt>${t('imports.step.request.mac.name')}</dt><dd>${t('imports.step.request.mac')}</dd>`;
  const step = (name: 'request' | 'download' | 'upload' | 'start', text: Html, more = html``) =>
    html`<li><h2>${t(`imports.step.${name}.heading`)}</h2><p>${text}</p>${more}</li>`;
  const upload = html`<p><a class="button" href="${links.act('upload', HOME_BASE)}">${sprite('upload')}<span>${t('imports.step.upload.action')}</span></a></p>`;
  return html`<nav class="crumbs" aria-label="${t('files.breadcrumbs')}"><ol>${crumb(links.folder(photos.path), photos.name)}</ol></nav>
<div class="imports"><h1>${t('imports.heading')}</h1><p class="lead">${t('imports.lead')}</p>
<ol class="import-steps">${step('request', html`${t('imports.step.request.text')}`, html`<dl>${service('google')}${service('apple')}${mac}</dl>`)}
${step('download', html`${t('imports.step.download.text')}`)}
${step('upload', html`${t('imports.step.upload.text')}`, upload)}
${step('start', html`${t('imports.step.start.text')}`, startForm(page))}</ol>
${imports.length === 0 ? html`` : html`<section aria-labelledby="earlier"><h2 id="earlier">${t('imports.earlier')}</h2><ul class="import-list">${imports.map((one) => importRow(links, one))}</ul></section>`}</div>`;
}

function startForm(page: ImportsPage): Html {
  const { links, archives, selected, target, folderAlbums, problem, missing, formToken } = page;
  const choice = ({ uuid, name, size, path }: Row, index: number) => {
    const id = `archive-${index}`;
    const folder = path.slice(HOME_BASE.length + 1, -name.length - 1);
    const isOn = uuid !== null && selected.has(uuid) ? html` checked` : html``;
    const bytes = humanSize(size ?? 0);
    const place = folder === '' ? bytes : t('imports.archive.place', { size: bytes, folder: bidiIsolate(folder) });
    return html`<div class="check"><input type="checkbox" id="${id}" name="archives[]" value="${uuid ?? ''}"${isOn} aria-describedby="${id}-place"><label for="${id}">${bidiIsolate(name)}</label><p class="help" id="${id}-place">${place}</p></div>`;
  };
  const incomplete =
    missing === 0
      ? html``
      : html`<button name="incomplete" value="1">${t('imports.startIncomplete', { count: missing })}</button>`;
  if (archives.length === 0) return html`${problemNote(problem)}<p class="none">${t('imports.archives.none')}</p>`;
  return html`<form method="post" action="${links.importForm('add')}">${hidden({ form_token: formToken })}${problemNote(problem)}
<fieldset><legend>${t('imports.archives')}</legend><div class="import-archives">${archives.map(choice)}</div></fieldset>
${field({ name: 'target', label: t('imports.target'), value: target, help: t('imports.target.help') })}
<div class="check"><input type="checkbox" id="folder-albums" name="folder_albums" value="1"${folderAlbums ? html` checked` : html``} aria-describedby="folder-albums-help"><label for="folder-albums">${t('imports.folderAlbums')}</label><p class="help" id="folder-albums-help">${t('imports.folderAlbums.help')}</p></div>
<div class="import-actions"><button class="primary">${t('imports.start')}</button>${incomplete}</div></form>`;
}

function importRow(links: FilesLinks, record: ImportRecord): Html {
  const { uuid, state, total, createdAt } = record;
  const by = isOfOwner(record) ? ` · ${t('imports.byOwner')}` : '';
  const counts = total === null ? by : ` · ${progressText(record)}${by}`;
  return html`<li><a href="${links.importReport(uuid)}">${t(`imports.state.${state}`)}</a><span class="meta">${timeText(createdAt)}${counts}</span></li>`;
}

interface ImportPage extends Page {
  readonly record: ImportRecord;
  readonly archives: readonly ImportArchive[];
  /** Their number, and the first of them. */
  readonly notesTotal: number;
  readonly notes: readonly Note[];
  /** What is in the archives and was not stored: how much there is, and the first of it. */
  readonly leftOut: { readonly total: number; readonly entries: readonly string[] };
}

/** Whether the owner made it, from a folder of the disk. */
function isOfOwner({ folder }: Pick<ImportRecord, 'folder'>): boolean {
  return folder !== null;
}

/** The progress of an import, and its report. */
export function importMain(page: ImportPage): Html {
  const { links, photos, record, archives } = page;
  const { state, target, createdAt } = record;
  const folder = html`<a href="${links.folder(homePathOf(target))}">${bidiIsolate(target.join('/') || '/')}</a>`;
  const time = html`${timeText(createdAt)}`;
  const facts = isOfOwner(record)
    ? tHtml('imports.facts.owner', { folder, time })
    : tHtml('imports.facts', { archives: archives.length, folder, time });
  return html`<nav class="crumbs" aria-label="${t('files.breadcrumbs')}"><ol>${crumb(links.folder(photos.path), photos.name)}${crumb(links.imports, t('imports.heading'))}</ol></nav>
<div class="imports import-page" data-open="${String(isOpen(record))}"><h1>${t(`imports.state.${state}`)}</h1><p class="lead">${facts}${record.folderAlbums ? html` · ${t('imports.facts.folderAlbums')}` : html``}</p>
${advice(page)}${sums(page)}${actions(page)}${notesList(page)}</div>`;
}

function advice({ record, leftOut }: ImportPage): Html {
  const { state, failure } = record;
  const isOwners = isOfOwner(record);
  const again = isOwners ? t('imports.again.owner') : t('imports.again');
  if (state === 'failed') {
    const values = { failure: failure ?? 'other' };
    const reason = isOwners ? t('imports.failure.owner', values) : t('imports.failure', values);
    return html`<div class="note" role="alert">${sprite('alert')}<div><strong>${reason}</strong><p>${again}</p></div></div>`;
  }
  if (state === 'done' && !isOwners && leftOut.total > 0) return leftOutNote(leftOut);
  const done = isOwners ? t('imports.done.owner') : t('imports.mayDelete');
  const text = state === 'done' ? done : state === 'cancelled' ? again : t('imports.leave');
  return html`<div class="note ${state === 'done' ? 'good' : 'info'}">${sprite(state === 'done' ? 'check' : 'info')}<p>${text}</p></div>`;
}

/** Who deletes the archives loses what was left out. */
function leftOutNote({ total, entries }: ImportPage['leftOut']): Html {
  const named = entries.map((entry) => bidiIsolate(entry.slice(entry.lastIndexOf('/') + 1) || entry)).join(', ');
  const rest = total - entries.length;
  const names = rest === 0 ? named : t('imports.leftOut.more', { names: named, count: rest });
  return html`<div class="note info">${sprite('info')}<div><strong>${t('imports.leftOut', { count: total })}</strong><p>${t('imports.leftOut.mayDelete', { names })}</p></div></div>`;
}

function sums({ record, notesTotal }: ImportPage): Html {
  const { total, handled, stored, known, inAlbums, undated } = record;
  // Nothing is known of archives that could not be read.
  if (total === null && !isOpen(record)) return html``;
  const reading = isOfOwner(record) ? t('imports.reading.owner') : t('imports.reading');
  const share = total === null ? 0 : total === 0 ? 1 : handled / total;
  // An SVG, because a variable width in HTML would need inline styles.
  const bar = html`<svg class="use" viewBox="0 0 1000 8" preserveAspectRatio="none" role="progressbar" aria-label="${t('imports.progress.label')}" aria-valuenow="${Math.floor(share * 100)}" aria-valuemin="0" aria-valuemax="100"><rect class="photos" width="${Math.round(share * 1_000)}" height="8"/></svg>`;
  const row = (label: string, count: number) =>
    html`<div><dt>${label}</dt><dd>${count.toLocaleString(LOCALE)}</dd></div>`;
  return html`<div class="import-sums"><p class="progress-line">${total === null ? reading : progressText(record)}</p>${bar}
<dl class="sums">${row(t('imports.stored'), stored)}${row(t('imports.known'), known)}${row(t('imports.inAlbums'), inAlbums)}${row(t('imports.undated'), undated)}${row(t('imports.notesCount'), notesTotal)}</dl></div>`;
}

function actions({ links, record, formToken }: ImportPage): Html {
  const form = (name: 'cancel' | 'resume', isFirst: boolean) =>
    html`<form method="post" action="${links.importForm(name)}">${hidden({ form_token: formToken, import: record.uuid })}<button${isFirst ? html` class="primary"` : html``}>${t(`imports.${name}`)}</button></form>`;
  const see = html`<a class="button${record.state === 'done' ? ' primary' : ''}" href="${links.folder('/PHOTOS')}">${sprite('photo')}<span>${t('imports.seePhotos')}</span></a>`;
  const refresh = html`<a class="button without-script" href="${links.importReport(record.uuid)}">${t('imports.refresh')}</a>`;
  if (isOpen(record)) return html`<div class="import-actions">${form('cancel', false)}${refresh}</div>`;
  if (record.state === 'done') return html`<div class="import-actions">${see}</div>`;
  return html`<div class="import-actions">${isOfOwner(record) ? html`` : form('resume', true)}${see}</div>`;
}

/** By reasons, those with most entries first. */
function notesList({ notes, notesTotal }: ImportPage): Html {
  if (notesTotal === 0) return html``;
  const byReason = new Map<Note['reason'], string[]>();
  for (const { entry, reason } of notes) byReason.set(reason, [...(byReason.get(reason) ?? []), entry]);
  const groups = [...byReason].sort(([, a], [, b]) => b.length - a.length);
  const group = ([reason, entries]: (typeof groups)[number]) => {
    const rest = entries.length - SHOWN_ENTRIES;
    const more = rest > 0 ? html`<li class="meta">${t('imports.notes.more', { count: rest })}</li>` : html``;
    return html`<details><summary><span>${t('imports.reason', { reason })}</span><span class="count">${entries.length.toLocaleString(LOCALE)}</span>${sprite('chevron')}</summary><ul>${entries.slice(0, SHOWN_ENTRIES).map((entry) => html`<li>${bidiIsolate(entry)}</li>`)}${more}</ul></details>`;
  };
  const unread = notesTotal - notes.length;
  const more = unread > 0 ? html`<p class="meta">${t('imports.notes.more', { count: unread })}</p>` : html``;
  return html`<section class="import-notes" aria-labelledby="notes"><h2 id="notes">${t('imports.notes')}</h2>${groups.map(group)}${more}</section>`;
}

function progressText({ handled, total }: Pick<ImportRecord, 'handled' | 'total'>): string {
  return t('imports.progress', { handled, total: total ?? 0 });
}

function timeText(time: number): string {
  return new Date(time).toLocaleString(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
}

function crumb(address: string, name: string): Html {
  return html`<li><a href="${address}">${bidiIsolate(name)}</a>${sprite('right')}</li>`;
}
