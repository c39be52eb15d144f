import { FieldProblem } from '../lib/errors/field-problem.ts';
import { type NameProblem, newNameProblem } from '../lib/names/names.ts';
import { normalized } from '../lib/names/normalized.ts';
import { listOf, t } from '../messages/messages.ts';

/** What a template of home folders can say of the account that the home is for. */
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

/** Why a text is no template of home folders, as a sentence; null when it is one. The empty text is the default place. */
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
 * A path with the values of an account in their places. Every value is one component of a path, or a part of one: nothing
 * in it can lead elsewhere.
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
