import { FieldProblem } from '../lib/errors/field-problem.ts';
import { normalized } from '../lib/names/normalized.ts';
import { t } from '../messages/messages.ts';
import type { FieldKind } from './field-kinds.ts';

/** Characters of a name. */
const MAX_NAME = 100;
const MAX_OPTIONS = 200;
/** Characters of an option. */
const MAX_OPTION = 100;
const MAX_EXTENSIONS = 100;

/** The name of a type, a set or a field, as stored. @throws FieldProblem `name` */
export function checkedName(given: string): string {
  const name = normalized(given.trim(), 'NFC');
  if (name === '') throw new FieldProblem('name', t('api.fields.nameMissing'));
  if ([...name].length > MAX_NAME) throw new FieldProblem('name', t('api.fields.nameTooLong', { max: MAX_NAME }));
  if (!name.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new FieldProblem('name', t('api.fields.nameCharacters'));
  }
  return name;
}

/** The options of a choice, each once; empty for other kinds. @throws FieldProblem `options` */
export function checkedOptions(kind: FieldKind, given: readonly string[]): string[] {
  const options = [...new Set(given.map((option) => normalized(option.trim(), 'NFC')))];
  if (kind !== 'choice' && kind !== 'choices') {
    if (options.length > 0) throw new FieldProblem('options', t('api.fields.noOptions'));
    return [];
  }
  if (options.length === 0) throw new FieldProblem('options', t('api.fields.optionsMissing'));
  if (options.length > MAX_OPTIONS)
    throw new FieldProblem('options', t('api.fields.tooManyOptions', { max: MAX_OPTIONS }));
  for (const option of options) {
    if (option === '' || [...option].length > MAX_OPTION || /\p{Cc}/u.test(option) || !option.isWellFormed()) {
      throw new FieldProblem('options', t('api.fields.option', { max: MAX_OPTION }));
    }
  }
  return options;
}

/** In lower case, without dots, separated by spaces. @throws FieldProblem `extensions` */
export function checkedExtensions(given: readonly string[]): string {
  const extensions = [
    ...new Set(
      given.map((one) =>
        one
          .trim()
          .toLowerCase()
          .replace(/^\*?\.+/, ''),
      ),
    ),
  ];
  if (extensions.length === 0) throw new FieldProblem('extensions', t('api.fields.extensionsMissing'));
  if (extensions.length > MAX_EXTENSIONS) {
    throw new FieldProblem('extensions', t('api.fields.tooManyExtensions', { max: MAX_EXTENSIONS }));
  }
  const odd = extensions.find((one) => !/^[\p{L}\p{N}_+~-]{1,20}$/u.test(one));
  if (odd !== undefined) throw new FieldProblem('extensions', t('api.fields.extension', { text: odd.slice(0, 40) }));
  return extensions.join(' ');
}
