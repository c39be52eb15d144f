import { z } from 'zod';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { oneOf } from '../../../http/request/parameters.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import type { MessageKey } from '../../../messages/catalogue.ts';
import { t } from '../../../messages/messages.ts';
import { type LinkOptions, linkOptions } from '../../../weblinks/link-options.ts';
import { field } from '../../shell/form-fields.ts';
import { icon } from '../../shell/icons.ts';
import type { KnownLink } from './state.ts';

/** What visitors of a folder may do, as people choose it. */
export const VISITORS = ['look', 'send', 'both'] as const;
export type Visitors = (typeof VISITORS)[number];

/** In the API these are two flags. */
const ALLOWED: Readonly<Record<Visitors, { allow_uploads: string; allow_downloads: string }>> = {
  look: { allow_uploads: '0', allow_downloads: '0' },
  send: { allow_uploads: '1', allow_downloads: '0' },
  both: { allow_uploads: '1', allow_downloads: '1' },
};

const FLAGS = [
  'force_save',
  'show_comments',
  'show_comments_names',
  'show_metadata',
  'notify',
  'require_login',
] as const;

const FLAG_LABELS = {
  force_save: 'weblinks.flags.forceSave',
  show_comments: 'weblinks.flags.showComments',
  show_comments_names: 'weblinks.flags.showCommentsNames',
  show_metadata: 'weblinks.flags.showMetadata',
  notify: 'weblinks.flags.notify',
  require_login: 'weblinks.flags.requireLogin',
} as const satisfies Record<(typeof FLAGS)[number], MessageKey>;

export type Typed = Readonly<Record<string, string>>;

/** A validation error: of one field, or of the whole form. */
export interface Problem {
  readonly parameter: string | null;
  readonly text: string;
}

export interface OptionFields {
  /** The choices; none for a file. */
  readonly visitors: readonly Visitors[];
  readonly values: Typed;
  /** Whether the existing link has one. */
  readonly hasPassword: boolean;
  /** The help text of the password field. */
  readonly passwordHelp: string | null;
  readonly hasMail: boolean;
  readonly problem: Problem | null;
}

/** The options of a link, by their API names. */
export function optionFields(given: OptionFields): Html {
  const { values, hasPassword, passwordHelp, problem, hasMail } = given;
  const common = (name: string) => ({
    name,
    isRequired: false,
    autocomplete: 'off',
    problem: problem?.parameter === name ? problem.text : undefined,
  });
  const written = (name: string) => ({ ...common(name), value: values[name] ?? '' });
  const help = passwordHelp === null ? {} : { help: passwordHelp };
  const password = field({
    ...common('password'),
    type: 'password',
    autocomplete: 'new-password',
    label: hasPassword ? t('weblinks.password.new') : t('weblinks.password.label'),
    ...help,
  });
  const expiry = field({
    ...written('expiry'),
    type: 'date',
    label: t('weblinks.expiry.label'),
    help: t('weblinks.expiry.help'),
  });
  const limit = field({
    ...written('download_limit'),
    type: 'number',
    label: t('weblinks.limit.label'),
    help: t('weblinks.limit.help'),
  });
  return html`${visitorsFields(given)}${password}${
    hasPassword
      ? box({ name: 'no_password', label: t('weblinks.password.remove'), isOn: values.no_password === '1' })
      : html``
  }<div class="pair">${expiry}${limit}</div><div class="flags">${FLAGS.map((name) => {
    const help = flagHelp(name, hasMail);
    return box({
      name,
      label: t(FLAG_LABELS[name]),
      help,
      isOn: values[name] === '1',
      isPart: name === 'show_comments_names',
    });
  })}</div>${termsField(given)}`;
}

function flagHelp(name: (typeof FLAGS)[number], hasMail: boolean): string | null {
  if (name === 'force_save') return t('weblinks.flags.forceSaveHelp');
  if (name === 'require_login') return t('weblinks.flags.requireLoginHelp');
  return name === 'notify' && !hasMail ? t('weblinks.flags.noEmail') : null;
}

function visitorsFields({ visitors, values, problem }: OptionFields): Html {
  if (visitors.length === 0) return html``;
  const chosen = visitors.find((one) => one === values.visitors) ?? visitors[0];
  const wrong = problem?.parameter === 'visitors' ? problemOf('visitors', problem.text) : html``;
  return html`<fieldset class="levels"><legend>${t('weblinks.visitors.legend')}</legend>${visitors.map((one) => {
    const id = `visitors-${one}`;
    const [label, help] = [t(`weblinks.visitors.${one}.label`), t(`weblinks.visitors.${one}.help`)];
    return html`<div class="level"><input type="radio" id="${id}" name="visitors" value="${one}"${one === chosen ? html` checked` : html``} aria-describedby="${id}-help"><label for="${id}">${label}</label><p class="help" id="${id}-help">${help}</p></div>`;
  })}</fieldset>${wrong}`;
}

function termsField({ values, problem }: OptionFields): Html {
  const name = 'download_terms';
  const text = problem?.parameter === name ? problem.text : null;
  const wrong = text === null ? html`` : html` aria-invalid="true" aria-describedby="${name}-problem"`;
  // HTML drops the first line break in a textarea, so one is added.
  return html`<div class="field"><label for="${name}">${t('weblinks.terms.label')}</label><textarea id="${name}" name="${name}" rows="3" dir="auto"${wrong}>
${values[name] ?? ''}</textarea>${text === null ? html`` : problemOf(name, text)}</div>`;
}

function problemOf(name: string, text: string): Html {
  return html`<p class="error" id="${name}-problem">${icon('alert')}<span>${text}</span></p>`;
}

function box({
  name,
  label,
  help = null,
  isOn,
  isPart = false,
}: {
  name: string;
  label: string;
  help?: string | null;
  isOn: boolean;
  /** It adds detail to the previous option. */
  isPart?: boolean;
}): Html {
  const [described, note] =
    help === null
      ? [html``, html``]
      : [html` aria-describedby="${name}-help"`, html`<p class="help" id="${name}-help">${help}</p>`];
  return html`<div class="${isPart ? 'check part' : 'check'}"><input type="checkbox" id="${name}" name="${name}" value="1"${isOn ? html` checked` : html``}${described}><label for="${name}">${label}</label>${note}</div>`;
}

/** The values of a link in its form. */
export function valuesOf(link: KnownLink): Typed {
  const flags = FLAGS.map((name) => [name, link[name] ? '1' : '']);
  return {
    ...Object.fromEntries(flags),
    visitors: link.allow_uploads ? (link.allow_downloads ? 'both' : 'send') : 'look',
    expiry: link.expiry?.slice(0, 10) ?? '',
    download_limit: link.download_limit === 0 ? '' : String(link.download_limit),
    download_terms: link.download_terms,
  };
}

/**
 * The options of a form, as the API reads them. Browsers omit unticked boxes.
 * @param kept the present expiry time: a form shows only the day, so an unchanged day keeps the time
 * @throws ApiError `invalid_parameter`
 */
export function optionsIn(fields: Typed, change: { readonly kept: string | null } | null): LinkOptions {
  const { visitors, password = '', expiry = '', download_limit = '', download_terms = '' } = fields;
  const isKept = change?.kept !== undefined && change.kept !== null && change.kept.slice(0, 10) === expiry;
  const raw = {
    ...Object.fromEntries(FLAGS.map((name) => [name, fields[name] === '1' ? '1' : '0'])),
    ...(visitors === undefined
      ? {}
      : ALLOWED[checkParameters(z.object({ visitors: oneOf(VISITORS) }), fields).visitors]),
    ...(change === null || password !== '' || fields.no_password === '1' ? { password } : {}),
    ...(isKept ? {} : { expiry: expiry.trim() }),
    download_limit: download_limit.trim(),
    download_terms,
  };
  return checkParameters(z.object(linkOptions), raw);
}
