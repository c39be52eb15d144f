import type { Version } from '../../../files/versions/versions.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { humanSize } from '../../../listing/human.ts';
import { t } from '../../../messages/messages.ts';
import type { PageAssets } from '../../shell/assets/page-assets.ts';
import { when } from '../../shell/relative-time.ts';
import type { FilesLinks } from '../addresses.ts';
import type { NamedPath, Row } from '../context.ts';
import { crumbs } from '../frame.ts';
import { restoreForm, savedAt, versionAvatar } from './page.ts';
import { type ComparedLine, type ComparedRow, differencesOf, type LinePart } from './text-differences.ts';

/** A content that was read for a comparison: null as text if it is something else. */
interface ReadText {
  readonly text: string | null;
  /** Whether nothing was cut off. */
  readonly isWhole: boolean;
}

interface ComparisonPage {
  readonly links: FilesLinks;
  readonly row: Row;
  /** The path to the file, without itself. */
  readonly breadcrumbs: readonly NamedPath[];
  readonly earlier: Version;
  readonly present: Version;
  /** Null where the file is not a text. */
  readonly before: ReadText | null;
  readonly after: ReadText | null;
  readonly mayRestore: boolean;
  readonly formToken: string;
  readonly now: number;
  readonly assets: PageAssets;
}

/** Equal lines shown around a difference; longer stretches are folded. */
const CONTEXT = 3;
/** Fewer equal lines than this are never folded. */
const FOLDED = 8;

/** An earlier version of a text beside the present one. On narrow screens both are in one column. */
export function comparisonMain(page: ComparisonPage): Html {
  const { links, row, breadcrumbs, assets } = page;
  const to = { name: row.name, path: row.path };
  const { summary, table } = compared(page);
  return html`${assets.load('comparison')}<div class="comparison"><div class="item-nav">${crumbs(links, [...breadcrumbs, to])}</div>
<div class="comparison-head"><div><h1>${t('versions.comparison.heading')}</h1><p class="meta">${bidiIsolate(row.name)}${summary === '' ? html`` : html` · ${summary}`}</p></div><a class="button" href="${links.versions(row.path, page.earlier === page.present ? null : page.earlier.version)}">${t('versions.comparison.back')}</a></div>
${table}</div>`;
}

function compared(page: ComparisonPage): { summary: string; table: Html } {
  const { before, after } = page;
  const note = (text: string) => ({ summary: '', table: html`<p class="note care">${text}</p>` });
  if (before === null || after === null || before.text === null || after.text === null)
    return note(t('versions.comparison.notText'));
  if (!before.isWhole || !after.isWhole) return note(t('versions.comparison.tooLong'));
  const rows = differencesOf(before.text, after.text);
  if (rows === null) return note(t('versions.comparison.tooDifferent'));
  return { summary: summaryOf(rows), table: tableOf(page, rows) };
}

function summaryOf(rows: readonly ComparedRow[]): string {
  const different = rows.filter(({ isEqual }) => !isEqual);
  if (different.length === 0) return t('versions.comparison.same');
  const added = different.filter(({ before }) => before === null).length;
  const removed = different.filter(({ after }) => after === null).length;
  const counts = { changedLines: different.length - added - removed, addedLines: added, removedLines: removed };
  return (Object.keys(counts) as (keyof typeof counts)[])
    .filter((kind) => counts[kind] > 0)
    .map((kind) => t(`versions.comparison.${kind}`, { count: counts[kind] }))
    .join(', ');
}

function tableOf(page: ComparisonPage, rows: readonly ComparedRow[]): Html {
  const { row, links, earlier, present, mayRestore, formToken, now } = page;
  const head = (version: Version, name: string, more: Html) =>
    html`<th scope="col" colspan="2"${version === present ? html` class="edge"` : html``}><div class="version-head">${versionAvatar(version)}<div><span class="strong name">${name}</span><span class="meta">${when(savedAt(version), now)}${version.by === null ? html`` : html` · <bdi>${version.by}</bdi>`} · ${humanSize(version.size)}</span></div>${more}</div></th>`;
  const restore = mayRestore ? restoreForm({ links, row, formToken }, earlier.version) : html``;
  return html`<table class="compared">${COLUMNS}<thead><tr>${head(earlier, t('versions.comparison.then'), restore)}${head(present, t('versions.comparison.now'), html``)}</tr></thead>${folded(
    rows,
  ).map((stretch) =>
    stretch.isFolded
      ? html`<tbody><tr><td class="folded" colspan="4"><details><summary>${t('versions.comparison.equal', { count: stretch.rows.length })}</summary><table class="compared folded-lines">${COLUMNS}<tbody>${stretch.rows.map(lineRow)}</tbody></table></details></td></tr></tbody>`
      : html`<tbody>${stretch.rows.map(lineRow)}</tbody>`,
  )}</table>`;
}

const COLUMNS = html`<colgroup><col class="numbers"><col><col class="numbers"><col></colgroup>`;

interface Stretch {
  readonly isFolded: boolean;
  readonly rows: readonly ComparedRow[];
}

/** Folds long stretches of equal lines, except for those next to a difference. */
function folded(rows: readonly ComparedRow[]): Stretch[] {
  const stretches: Stretch[] = [];
  let start = 0;
  while (start < rows.length) {
    const { isEqual } = rows[start] as ComparedRow;
    let end = start;
    while (end < rows.length && rows[end]?.isEqual === isEqual) end += 1;
    const head = start === 0 ? 0 : CONTEXT;
    const tail = end === rows.length ? 0 : CONTEXT;
    if (isEqual && end - start >= FOLDED + head + tail) {
      stretches.push(
        { isFolded: false, rows: rows.slice(start, start + head) },
        { isFolded: true, rows: rows.slice(start + head, end - tail) },
        { isFolded: false, rows: rows.slice(end - tail, end) },
      );
    } else stretches.push({ isFolded: false, rows: rows.slice(start, end) });
    start = end;
  }
  return stretches.filter((stretch) => stretch.rows.length > 0);
}

function lineRow({ isEqual, before, after }: ComparedRow): Html {
  if (isEqual) return html`<tr>${cells(before, '')}${cells(after, 'edge again')}</tr>`;
  return html`<tr>${cells(before, 'removed')}${cells(after, 'edge added')}</tr>`;
}

const SPOKEN = { '': null, 'edge again': null, removed: 'removed', 'edge added': 'added' } as const;

/** The number and the text of a line. The second side has an edge, and where both are equal it is the same again. */
function cells(line: ComparedLine | null, kind: keyof typeof SPOKEN): Html {
  const edge = kind.startsWith('edge') ? 'edge ' : '';
  if (line === null) return html`<td class="${edge}void" colspan="2"></td>`;
  const spoken = SPOKEN[kind];
  const own = kind.replace('edge ', '');
  return html`<td class="${edge}number ${own}">${line.number}</td><td class="line ${own}" dir="auto">${spoken === null ? html`` : html`<span class="unseen">${t(`versions.comparison.${spoken}`)} </span>`}${line.parts.map(linePart)}</td>`;
}

function linePart({ text, isMarked }: LinePart): Html {
  return isMarked ? html`<mark>${text}</mark>` : html`${text}`;
}
