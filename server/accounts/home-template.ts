import { FieldProblem } from '../lib/errors/field-problem.ts';
import { newNameProblem } from '../lib/names/names.ts';
import { normalized } from '../lib/names/normalized.ts';

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

const MAX_LENGTH = 1_000;

/** Why a text is not a valid template, as a sentence; null when it is. The empty text means the default location. */
export function homeTemplateProblem(template: string): string | null {
  if (template.length > MAX_LENGTH) return `A template is at most ${MAX_LENGTH} characters long.`;
  if (!template.isWellFormed() || /\p{Cc}/u.test(template)) return 'A template has no control characters.';
  const rest = template.replace(/\{([^{}]*)\}/g, (whole, key: string) => (key in PLACEHOLDERS ? '' : whole));
  if (/[{}]/.test(rest)) return 'A template has {USERNAME}, {NAME}, {EMAIL} and {COMPANY}, and no other braces.';
  if (template !== '' && rest === template) {
    return 'A template has {USERNAME}, {NAME}, {EMAIL} or {COMPANY}: without one, everybody would have the same folder.';
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
    if (value === '') throw unfit(key, 'is empty');
    if (value.startsWith('.')) throw unfit(key, 'begins with a dot');
    // They make a name look like another one.
    if (/\p{Bidi_Control}/u.test(value)) throw unfit(key, 'has characters that turn the direction of writing');
    const reason = newNameProblem(value);
    if (reason !== null) throw unfit(key, reason);
    return value;
  });
}

function unfit(key: string, reason: string): FieldProblem {
  return new FieldProblem('homefolder', `The home folder cannot be named after {${key}}: it ${reason}.`);
}
