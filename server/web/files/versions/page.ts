import type { Version } from '../../../files/versions/versions.ts';
import { daysBetween } from '../../../lib/datetime.ts';
import { avatarColour } from '../../../lib/text/avatar-colour.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { humanSize } from '../../../listing/human.ts';
import { t, tHtml } from '../../../messages/messages.ts';
import type { PageAssets } from '../../shell/assets/page-assets.ts';
import { initialOf } from '../../shell/avatar.ts';
import { hidden, problemNote } from '../../shell/form-fields.ts';
import { sprite } from '../../shell/icons.ts';
import { clockTime, dayOf, when } from '../../shell/relative-time.ts';
import { contentMark, type FilesLinks } from '../addresses.ts';
import type { NamedPath, Row } from '../context.ts';
import { crumbs } from '../frame.ts';

/** What the caller may do with the versions of a file. */
export interface VersionRights {
  readonly restore: boolean;
  readonly delete: boolean;
  /** To make another file the present one. */
  readonly replace: boolean;
}

interface VersionsPage {
  readonly links: FilesLinks;
  readonly row: Row;
  /** The path to the file, without itself. */
  readonly breadcrumbs: readonly NamedPath[];
  /** Newest first; the first one is the present one. */
  readonly versions: readonly Version[];
  /** The one that is previewed. */
  readonly shown: Version;
  readonly preview: Html;
  readonly rights: VersionRights;
  /** Whether it can be compared with the present one as text. */
  readonly isComparable: boolean;
  /** Whether the file is someone else's. */
  readonly isShared: boolean;
  /** The number of earlier versions that are kept, and for how many days; 0: none, and no limit. */
  readonly limits: { readonly versionsKept: number; readonly versionDays: number };
  readonly formToken: string;
  readonly now: number;
  readonly icons: string;
  readonly assets: PageAssets;
  readonly done: 'restored' | 'deleted' | null;
  readonly problem: string | null;
}

/** When a version was saved, in milliseconds since the epoch: where that is not known, the time of its content. */
export function savedAt({ savedAt: at, mtime }: Version): number {
  return at ?? mtime;
}

/** The versions of a file, one of them shown. Without a script, everything is a link or a form. */
export function versionsMain(page: VersionsPage): Html {
  const { links, row, breadcrumbs, versions, shown, preview, assets, icons, done, problem } = page;
  const size = versions.reduce((sum, version) => sum + version.size, 0);
  return html`${assets.load('comments', 'versions')}<div class="viewer of-versions"><div class="stage"><div class="item-nav">${crumbs(links, [...breadcrumbs, { name: row.name, path: row.path }])}</div>${olderNote(page)}<div class="shown" data-content="${contentMark({ ...shown, modifiedAt: shown.mtime }) ?? ''}" data-version="${shown.version}">${preview}</div></div>
<aside class="facts" data-path="${row.path}" data-name="${row.name}"><a class="title" href="${links.item(row.path)}"><img src="${icons}/${row.type}.svg" width="48" height="48" alt=""><div><h1>${bidiIsolate(row.name)}</h1><p class="meta">${t('versions.count', { count: versions.length, size: humanSize(size) })}</p></div></a>
${done === null ? html`` : html`<div class="note good done" role="status">${sprite('check')}<span>${t(`versions.done.${done}`)}</span></div>`}${problemNote(problem)}
<section class="versions" aria-labelledby="versions"><h2 id="versions">${t('versions.heading')}</h2>${replaceLink(page)}${days(page)}</section>
<p class="help">${remark(page)}</p></aside></div>`;
}

function olderNote({ links, row, shown, versions, isComparable, now }: VersionsPage): Html {
  if (shown === versions[0]) return html``;
  const at = when(savedAt(shown), now);
  const saved =
    shown.by === null
      ? tHtml('versions.saved', { when: at })
      : tHtml('versions.savedBy', { when: at, name: html`<bdi>${shown.by}</bdi>` });
  const compare = isComparable
    ? html`<a class="button" href="${links.comparison(row.path, shown.version)}">${sprite('columns')}${t('versions.compare')}</a>`
    : html`<a class="button" href="${links.versions(row.path)}">${t('versions.newest')}</a>`;
  return html`<div class="older">${sprite('history')}<p>${tHtml('versions.older', { saved: html`<strong>${saved}</strong>` })}</p>${compare}</div>`;
}

function replaceLink({ links, row, rights }: VersionsPage): Html {
  if (!rights.replace) return html``;
  return html`<a class="button version-new" href="${links.act('replace', row.path)}" data-do="replace">${sprite('upload')}${t('files.actions.replace')}</a>`;
}

/** One list for each day. */
function days(page: VersionsPage): Html {
  const { versions, now } = page;
  const groups: { day: string; at: number; versions: Version[] }[] = [];
  for (const version of versions) {
    const at = savedAt(version);
    const last = groups.at(-1);
    if (last !== undefined && daysBetween(last.at, at) === 0) last.versions.push(version);
    else groups.push({ day: dayOf(at, now), at, versions: [version] });
  }
  return html`${groups.map(
    ({ day, versions: ofDay }) =>
      html`<h3>${day}</h3><ol class="version-list">${ofDay.map((version) => versionItem(page, version))}</ol>`,
  )}`;
}

function versionItem(page: VersionsPage, version: Version): Html {
  const { links, row, versions, shown } = page;
  const { by, size } = version;
  const isPresent = version === versions[0];
  const isShown = version === shown;
  const address = links.versions(row.path, isPresent ? null : version.version);
  const person =
    by === null
      ? html`<span title="${t('versions.unknownHelp')}">${t('versions.unknown')}</span>`
      : html`<bdi>${by}</bdi>`;
  return html`<li${isShown ? html` class="shown-now"` : html``}><a class="version" href="${address}"${isShown ? html` aria-current="true"` : html``}>${versionAvatar(version)}<span class="about"><span class="time">${clockTime(savedAt(version))}</span><span class="by">${person}</span></span>${isPresent ? html`<span class="badge">${t('versions.present')}</span>` : html``}<span class="size">${humanSize(size)}</span></a>${isShown ? buttons(page, version, isPresent) : html``}</li>`;
}

/** The first letter of the person who saved it. */
export function versionAvatar({ by }: Version): Html {
  if (by === null) return html`<span class="avatar none" aria-hidden="true">?</span>`;
  return html`<span class="avatar ${avatarColour(by)}" aria-hidden="true">${initialOf(by)}</span>`;
}

function buttons({ links, row, rights, formToken }: VersionsPage, { version }: Version, isPresent: boolean): Html {
  const download = html`<a class="button" href="${links.download(row.path, isPresent ? null : version)}">${sprite('download')}${t('files.actions.download')}</a>`;
  if (isPresent) return html`<div class="version-actions">${download}</div>`;
  const restore = rights.restore ? restoreForm({ links, row, formToken }, version) : html``;
  const remove = rights.delete ? deleteForm({ links, row, formToken }, version) : html``;
  return html`<div class="version-actions">${download}${restore}</div>${remove}`;
}

type Formed = Pick<VersionsPage, 'links' | 'row' | 'formToken'>;

/** Restoring loses nothing, so it is not asked about. */
export function restoreForm({ links, row, formToken }: Formed, version: number): Html {
  return html`<form method="post" action="${links.base}/versions">${hidden({ form_token: formToken, path: row.path, version: String(version) })}<button name="do" value="restore">${sprite('restore')}${t('versions.restore')}</button></form>`;
}

function deleteForm({ links, row, formToken }: Formed, version: number): Html {
  return html`<details class="version-delete"><summary>${sprite('trash')}${t('versions.delete')}</summary><form method="post" action="${links.base}/versions">${hidden({ form_token: formToken, path: row.path, version: String(version) })}<p>${t('versions.deleteLead')}</p><button class="danger" name="do" value="delete">${t('versions.deleteSubmit')}</button></form></details>`;
}

function remark({ versions, isShared, limits: { versionsKept, versionDays } }: VersionsPage): string {
  if (isShared) return t('versions.shared');
  if (versionsKept === 0) return t('versions.off');
  if (versions.length === 1) return t('versions.none');
  return t('versions.kept', { count: versionsKept, days: versionDays });
}
