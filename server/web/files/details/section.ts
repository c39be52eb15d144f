import { type AccountCaller, rightsOf } from '../../../access/caller.ts';
import { isPermitted } from '../../../access/rights.ts';
import { ApiError } from '../../../http/errors.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import type { MetadataContext } from '../../../metadata/context.ts';
import { type KnownField, type KnownSet, type Metadata, readMetadata } from '../../../metadata/read-metadata.ts';
import { colorDot } from '../../shell/color-dot.ts';
import { hidden, problemNote } from '../../shell/form-fields.ts';
import { icon } from '../../shell/icons.ts';
import type { SignedIn } from '../../shell/page-context.ts';
import type { FilesLinks } from '../addresses.ts';
import { segmentsOf } from '../context.ts';
import { fieldInput, fieldText, inputName } from './field-inputs.ts';

/** The request that shows them. */
interface Looked {
  readonly parts: { readonly metadataContext: MetadataContext };
  readonly links: FilesLinks;
  readonly visitor: SignedIn;
  readonly caller: AccountCaller;
}

/** The value entered, and why it was rejected. */
export interface TypedDetails {
  readonly values: Readonly<Record<string, string>>;
  readonly problem: string;
}

/**
 * The metadata of a file or folder, with the forms to change it where the caller may; nothing where they may not read it, or
 * there is none.
 * @param from the list the page was opened from, if not the folder
 */
export async function detailsSection(
  { parts, links, visitor, caller }: Looked,
  path: string,
  from: string | null,
  typed: TypedDetails | null = null,
): Promise<Html> {
  const context = parts.metadataContext;
  const segments = segmentsOf(path);
  const known = await readMetadata(context, caller, segments).catch((error) => {
    // Without the permission, in the trash, or deleted meanwhile: there is nothing to show.
    if (error instanceof ApiError && error.status < 500) return null;
    throw error;
  });
  if (known === null) return html``;
  const target = await context.access.resolve(caller, segments);
  const mayWrite = target.kind === 'item' && isPermitted(rightsOf(caller), target.item.share, 'files/metadata/set');
  const carried = { form_token: visitor.formToken, path, ...(from === null ? {} : { from }) };
  const form = (inner: Html, name = '') =>
    html`<form method="post" action="${links.base}/details"${name === '' ? html`` : html` class="${name}"`}>${hidden(carried)}${inner}</form>`;
  const shown = [
    ratingPart(known.rating, mayWrite, form),
    tagsPart(known, mayWrite, form),
    labelPart(known, mayWrite, form, typed),
    fieldsPart(known.sets, mayWrite, form, typed),
  ].filter(({ text }) => text !== '');
  if (shown.length === 0) return html``;
  return html`<section class="details" aria-labelledby="details"><h2 id="details">${t('details.heading')}</h2>${problemNote(typed?.problem ?? null)}${shown}</section>`;
}

type Form = (inner: Html, name?: string) => Html;

function ratingPart(rating: number | null, mayWrite: boolean, form: Form): Html {
  const star = (isFull: boolean) => icon(isFull ? 'starFilled' : 'star');
  const each = [1, 2, 3, 4, 5];
  if (!mayWrite) {
    if (rating === null) return html``;
    return html`<div class="rating"><span>${t('details.rating.label')}</span><div role="img" aria-label="${t('details.rating.value', { stars: rating })}">${each.map((one) => star(one <= rating))}</div></div>`;
  }
  // The current star removes the rating.
  const button = (one: number) => {
    const isSet = one === rating;
    const says = isSet ? t('details.rating.remove', { stars: one }) : t('details.rating.give', { stars: one });
    return html`<button name="rating" value="${isSet ? '' : one}" aria-label="${says}" title="${says}"${isSet ? html` aria-pressed="true"` : html``}>${star(one <= (rating ?? 0))}</button>`;
  };
  return form(
    html`${hidden({ do: 'rate' })}<span aria-hidden="true">${t('details.rating.label')}</span><div role="group" aria-label="${t('details.rating.label')}">${each.map(button)}</div>`,
    'rating',
  );
}

function tagsPart({ tags }: Metadata, mayWrite: boolean, form: Form): Html {
  const removeText = (tag: string) => t('details.tags.remove', { tag: bidiIsolate(tag) });
  const list =
    tags.length === 0
      ? html``
      : html`<ul class="tags" aria-label="${t('details.tags.label')}">${tags.map(
          ({ value, color }) =>
            html`<li>${colorDot(color)}<bdi>${value}</bdi>${mayWrite ? form(html`${hidden({ tag: value })}<button name="do" value="untag" aria-label="${removeText(value)}" title="${removeText(value)}">${icon('close')}</button>`) : html``}</li>`,
        )}</ul>`;
  if (!mayWrite) return list;
  return html`${list}${form(html`<label class="unseen" for="tag">${t('details.tags.new')}</label><input id="tag" name="tag" maxlength="108" required autocomplete="off" placeholder="${t('details.tags.new')}" dir="auto"><button name="do" value="tag">${t('details.tags.add')}</button>`, 'tagging')}`;
}

/** The colours offered for labels. */
const COLORS = {
  '': 'none',
  '#d03b2f': 'red',
  '#d9822b': 'orange',
  '#c9a227': 'yellow',
  '#3f8f4f': 'green',
  '#2f6fd0': 'blue',
  '#8250c8': 'purple',
} as const;

function labelPart({ label }: Metadata, mayWrite: boolean, form: Form, typed: TypedDetails | null): Html {
  const shown =
    label === null ? html`` : html`<span class="label">${colorDot(label.color)}<bdi>${label.value}</bdi></span>`;
  if (!mayWrite) return shown;
  const given = typed?.values.do === 'label' ? typed.values : null;
  const chosen = given?.color ?? label?.color ?? '';
  const known = Object.entries(COLORS).map(([value, color]) => [value, t(`details.label.colors.${color}`)] as const);
  const all = known.some(([value]) => value === chosen) ? known : [...known, [chosen, chosen] as const];
  const options = all.map(
    ([value, called]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : html``}>${called}</option>`,
  );
  const inner = html`<div class="field"><label for="label">${t('details.label.text')}</label><input id="label" name="label" maxlength="100" value="${given?.label ?? label?.value ?? ''}" autocomplete="off" dir="auto" aria-describedby="label-help"><p class="help" id="label-help">${t('details.label.help')}</p></div>
<div class="field"><label for="color">${t('details.label.color')}</label><select id="color" name="color">${options}</select></div><div class="actions"><button name="do" value="label">${t('details.label.submit')}</button></div>`;
  return html`<details class="labelling"${given === null ? html`` : html` open`}><summary>${icon('tag')}<span>${label === null ? t('details.label.set') : html`${shown}<span class="unseen">${t('details.label.edit')}</span>`}</span></summary>${form(inner)}</details>`;
}

function fieldsPart(sets: readonly KnownSet[], mayWrite: boolean, form: Form, typed: TypedDetails | null): Html {
  const filled = (fields: readonly KnownField[]) => fields.filter(({ values }) => values.length > 0);
  const own = sets.flatMap(({ fields }) => fields.filter(({ system }) => system === null));
  const lists = sets
    .filter(({ fields }) => filled(fields).length > 0)
    .map(
      ({ name, fields }) =>
        html`<h3>${name}</h3><dl>${filled(fields).map((field) => html`<div><dt>${field.name}</dt><dd dir="auto">${fieldText(field)}</dd></div>`)}</dl>`,
    );
  if (!mayWrite || own.length === 0) return html`${lists}`;
  const given = typed?.values.do === 'fill' ? typed.values : null;
  const inputs = own.map((field) => fieldInput(field, given?.[inputName(field.id)]));
  const inner = html`${inputs}<div class="actions"><button name="do" value="fill">${t('details.fields.submit')}</button></div>`;
  return html`${lists}<details class="filling"${given === null ? html`` : html` open`}><summary>${icon('pencil')}<span>${t('details.fields.edit')}</span></summary>${form(inner)}</details>`;
}
