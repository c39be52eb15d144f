import { FieldProblem } from '../lib/errors/field-problem.ts';
import { type NameProblem, newNameProblem } from '../lib/names/names.ts';
import { normalized } from '../lib/names/normalized.ts';
import { listOf, t } from '../messages/messages.ts';

/** The placeholders of a template for home folders. */
export interface TemplateValues {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly company: string;
}

const PLACEHOLDERS: Readonly<Record<string, keyof TemplateValues>> = {
  USERNAME: 'username',
  NAME: 'name',
  EMAIL: 'email',
  COMPANY: 'company',
};

const PLACEHOLDER_LIST = listOf(Object.keys(PLACEHOLDERS).map((key) => `{${key}}`));

const MAX_LENGTH = 1_000;

/** Why a text is not a valid template, as a sentence; null when it is. The empty text means the default location. */
export function homeTemplateProblem(template: string): string | null {
  if (template.length > MAX_LENGTH) return t('api.homes.templateTooLong', { max: MAX_LENGTH });
  if (!template.isWellFormed() || /\p{Cc}/u.test(template)) return t('api.homes.templateCharacters');
  const rest = template.replace(/\{([^{}]*)\}/g, (whole, key: string) => (key in PLACEHOLDERS ? '' : whole));
  if (/[{}]/.test(rest)) return t('api.homes.templateBraces', { placeholders: PLACEHOLDER_LIST });
  if (template !== '' && rest === template) {
    return t('api.homes.templateFixed', { placeholders: PLACEHOLDER_LIST });
  }
  return null;
}

/**
 * Fills in the values of an account. Every value is one component of a path, or a part of one, so it cannot lead elsewhere.
 * @throws FieldProblem `homefolder`
 */
export function fillHomeTemplate(template: string, values: TemplateValues): string {
  const problem = homeTemplateProblem(template);
  if (problem !== null) throw new FieldProblem('homefolder', problem);
  return template.replace(/\{([A-Z]+)\}/g, (_whole, key: string) => {
    const field = PLACEHOLDERS[key];
    const value = field === undefined ? '' : normalized(values[field].trim(), 'NFC');
    if (value === '') throw unfit(key, 'empty');
    if (value.startsWith('.')) throw unfit(key, 'dot');
    // They make a name look like another one.
    if (/\p{Bidi_Control}/u.test(value)) throw unfit(key, 'bidi');
    const problem = newNameProblem(value);
    if (problem !== null) throw unfit(key, problem);
    return value;
  });
}

function unfit(key: string, problem: NameProblem | 'dot' | 'bidi'): FieldProblem {
  return new FieldProblem('homefolder', t('api.homes.unfit', { problem, placeholder: `{${key}}` }));
}
