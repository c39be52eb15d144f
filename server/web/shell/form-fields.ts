import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import { icon } from './icons.ts';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'password' | 'email' | 'date' | 'number';
  readonly value?: string;
  readonly autocomplete?: string;
  readonly help?: string;
  /** The validation error. */
  readonly problem?: string | undefined;
  readonly isRequired?: boolean;
  readonly hasFocus?: boolean;
  /** A code: shows the number keyboard on phones, and allows autofill. */
  readonly isCode?: boolean;
}

/** A field with its label above, and its error or help text below. */
export function field(given: Field): Html {
  const { name, label, type = 'text', value = '', autocomplete = 'off', help, problem, isCode = false } = given;
  const describedBy = problem !== undefined ? `${name}-problem` : help !== undefined ? `${name}-help` : null;
  const attributes = [
    html` id="${name}" name="${name}" autocomplete="${isCode ? 'one-time-code' : autocomplete}"`,
    type === 'text' ? html`` : html` type="${type}"`,
    value === '' ? html`` : html` value="${value}"`,
    isCode ? html` inputmode="numeric" autocapitalize="none" spellcheck="false"` : html``,
    given.isRequired === false ? html`` : html` required`,
    given.hasFocus === true ? html` autofocus` : html``,
    problem === undefined ? html`` : html` aria-invalid="true"`,
    describedBy === null ? html`` : html` aria-describedby="${describedBy}"`,
  ];
  return html`<div class="field"><label for="${name}">${label}</label>
<input${attributes}>${
    problem === undefined
      ? html``
      : html`<p class="error" id="${name}-problem">${icon('alert')}<span>${problem}</span></p>`
  }${help === undefined || problem !== undefined ? html`` : html`<p class="help" id="${name}-help">${help}</p>`}</div>`;
}

/** The name of the field for a recovery code, which `formOf` passes on as the code. */
export const RECOVERY_CODE = 'recovery_code';

/**
 * The field for a code of six digits, which brings the number keys, and below it one for a recovery code, which has letters. Either
 * may stay empty: the server asks for the code then.
 */
export function codeFields(given: Pick<Field, 'label' | 'problem' | 'hasFocus'>): Html {
  const code = field({ ...given, name: 'otp', isCode: true, isRequired: false, help: t('signIn.code.help') });
  const recovery = field({ name: RECOVERY_CODE, label: t('signIn.code.recovery'), isRequired: false });
  return html`${code}<details class="other-code"><summary>${t('signIn.code.useRecovery')}</summary>${recovery}</details>`;
}

/** Hidden fields. */
export function hidden(values: Record<string, string>): Html {
  return html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

/** The error of the form as a whole. */
export function problemNote(text: string | null): Html {
  return text === null
    ? html``
    : html`<div class="note" id="note" role="alert">${icon('alert')}<span>${text}</span></div>`;
}
