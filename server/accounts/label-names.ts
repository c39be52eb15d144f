import { FieldProblem } from '../lib/errors/field-problem.ts';
import { normalized } from '../lib/names/normalized.ts';
import { t } from '../messages/messages.ts';
import { foldUsername } from './usernames.ts';

const MAX_LENGTH = 100;
/** Longer ones are not processed. In UTF-16 units. */
const MAX_UNITS = 4 * MAX_LENGTH;

/** The name of a group or role, and its key: case and Unicode form are ignored. */
export interface LabelName {
  readonly name: string;
  readonly fold: string;
}

/** @param field that contains the name @throws FieldProblem */
export function labelName(field: string, text: string): LabelName {
  if (text.trim().length > MAX_UNITS) throw new FieldProblem(field, t('api.fields.nameTooLong', { max: MAX_LENGTH }));
  const name = normalized(text.trim(), 'NFC');
  const fold = foldUsername(name).trim();
  if (fold === '') throw new FieldProblem(field, t('api.fields.nameMissing'));
  if ([...name].length > MAX_LENGTH) throw new FieldProblem(field, t('api.fields.nameTooLong', { max: MAX_LENGTH }));
  if (!name.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw new FieldProblem(field, t('api.fields.nameCharacters'));
  }
  // Lists of names are separated by commas; a full-width one folds to a plain one.
  if (/,/.test(name) || /,/.test(fold)) throw new FieldProblem(field, t('api.fields.nameComma'));
  return { name, fold };
}
