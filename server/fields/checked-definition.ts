import { FieldProblem } from '../lib/errors/field-problem.ts';
import { normalized } from '../lib/names/normalized.ts';
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
  if (name === '') throw new FieldProblem('name', 'A name is needed.');
  if ([...name].length > MAX_NAME) throw new FieldProblem('name', `A name is at most ${MAX_NAME} characters long.`);
  if (!name.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new FieldProblem('name', 'A name has no control characters.');
  }
  return name;
}

/** The options of a choice, each once; empty for other kinds. @throws FieldProblem `options` */
export function checkedOptions(kind: FieldKind, given: readonly string[]): string[] {
  const options = [...new Set(given.map((option) => normalized(option.trim(), 'NFC')))];
  if (kind !== 'choice' && kind !== 'choices') {
    if (options.length > 0) throw new FieldProblem('options', 'Only a field to choose from has options.');
    return [];
  }
  if (options.length === 0) throw new FieldProblem('options', 'Say what there is to choose from.');
  if (options.length > MAX_OPTIONS) throw new FieldProblem('options', `Give at most ${MAX_OPTIONS} options.`);
  for (const option of options) {
    if (option === '' || [...option].length > MAX_OPTION || /\p{Cc}/u.test(option) || !option.isWellFormed()) {
      throw new FieldProblem('options', `An option is a text of at most ${MAX_OPTION} characters.`);
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
  if (extensions.length === 0) throw new FieldProblem('extensions', 'Say which files are of this type.');
  if (extensions.length > MAX_EXTENSIONS) {
    throw new FieldProblem('extensions', `Give at most ${MAX_EXTENSIONS} extensions.`);
  }
  const invalid = extensions.find((one) => !/^[\p{L}\p{N}_+~-]{1,20}$/u.test(one));
  if (invalid !== undefined)
    throw new FieldProblem('extensions', `"${invalid.slice(0, 40)}" is no extension such as pdf.`);
  return extensions.join(' ');
}
