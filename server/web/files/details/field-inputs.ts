import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import type { KnownField } from '../../../metadata/read-metadata.ts';
import { written } from '../../shell/relative-time.ts';

/** The form name of a field's input. */
export function inputName(id: number): string {
  return `field-${id}`;
}

/** The value of a field, as text for people. */
export function fieldText({ kind, values }: KnownField): Html {
  if (kind === 'stars')
    return html`${values.map((value) => t('details.fields.stars', { count: Number(value) })).join(', ')}`;
  return html`${(kind === 'date' ? values.map(written) : values).join(', ')}`;
}

/** The input of a field with its label. @param typed a rejected value to show instead of the stored one */
export function fieldInput(field: KnownField, typed: string | undefined): Html {
  const { id, kind, name: called, options, values } = field;
  const name = inputName(id);
  if (kind === 'choices') {
    const boxes = options.map(
      (option, index) =>
        html`<div class="check"><input type="checkbox" id="${name}-${index}" name="${name}" value="${option}"${values.includes(option) ? html` checked` : html``}><label for="${name}-${index}">${option}</label></div>`,
    );
    return html`<fieldset><legend>${called}</legend><input type="hidden" name="${name}" value="">${boxes}</fieldset>`;
  }
  return html`<div class="field"><label for="${name}">${called}</label>${inputOf(field, name, typed ?? values[0] ?? '')}</div>`;
}

function inputOf({ kind, options }: KnownField, name: string, value: string): Html {
  const attributes = html` id="${name}" name="${name}"`;
  switch (kind) {
    case 'longtext':
      // HTML drops the first line break in a textarea, so one is added.
      return html`<textarea${attributes} rows="3" maxlength="10000" dir="auto">
${value}</textarea>`;
    case 'choice':
      return html`<select${attributes}>${['', ...options].map((option) => choice(option, option === '' ? t('details.fields.none') : option, value))}</select>`;
    case 'stars':
      return html`<select${attributes}>${['', '0', '1', '2', '3', '4', '5'].map((stars) => choice(stars, stars === '' ? t('details.fields.none') : t('details.fields.stars', { count: Number(stars) }), value))}</select>`;
    case 'date':
      // A time of day set by an app would be lost in a date input.
      return html`<input${attributes}${/^\d{4}-\d\d-\d\d$|^$/.test(value) ? html` type="date"` : html``} value="${value}" autocomplete="off">`;
    case 'number':
      return html`<input${attributes} inputmode="decimal" maxlength="30" value="${value}" autocomplete="off">`;
    default:
      return html`<input${attributes} maxlength="500" value="${value}" autocomplete="off" dir="auto">`;
  }
}

function choice(value: string, text: string, chosen: string): Html {
  return html`<option value="${value}"${value === chosen ? html` selected` : html``}>${text}</option>`;
}
