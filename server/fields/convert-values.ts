import type { Transaction } from '../database/database.ts';
import { FieldProblem } from '../lib/errors/field-problem.ts';
import { searchFold } from '../lib/names/names.ts';
import { t } from '../messages/messages.ts';
import { checkedValues, ValueProblem } from './checked-value.ts';
import type { FieldDefinition } from './definitions.ts';
import { isSearchedByParts } from './field-kinds.ts';

/** Values processed at a time. */
const BATCH_SIZE = 5_000;

/**
 * Converts the values of a field to another kind or other options. No value is dropped: all must be valid as they are.
 * @throws FieldProblem `kind`, or `options` if those are the reason
 */
export async function refitValues(
  tx: Transaction,
  fieldId: number,
  field: Pick<FieldDefinition, 'kind' | 'options'>,
): Promise<void> {
  const isChoice = field.kind === 'choice' || field.kind === 'choices';
  const fault = isChoice ? 'options' : 'kind';
  if (field.kind !== 'choices') {
    const several = await tx.get(
      `SELECT 1 FROM metadata_terms t CROSS JOIN metadata_values v ON v.term_id = t.id
       WHERE t.field_id = ? AND v.position > 0 LIMIT 1`,
      [fieldId],
    );
    if (several !== undefined) throw new FieldProblem('kind', t('api.fields.severalValues'));
  }
  for (let last = 0; ; ) {
    const terms = await tx.all<{ id: number; value: string }>(
      'SELECT id, value FROM metadata_terms WHERE field_id = ? AND id > ? ORDER BY id LIMIT ?',
      [fieldId, last, BATCH_SIZE],
    );
    if (terms.length === 0) return;
    last = terms.at(-1)?.id ?? last;
    const odd = terms.find(({ value }) => !fits(field, value));
    if (odd !== undefined) {
      throw new FieldProblem(fault, t('api.fields.valueMisfit', { value: odd.value.slice(0, 60) }));
    }
    const folds = terms.map(({ id, value }) => [id, isSearchedByParts(field.kind) ? searchFold(value) : '']);
    await tx.run(
      'UPDATE metadata_terms SET fold = given.value->>1 FROM json_each(?) AS given WHERE metadata_terms.id = given.value->>0',
      [JSON.stringify(folds)],
    );
  }
}

/** Whether it would be stored in exactly this form. */
function fits(field: Pick<FieldDefinition, 'kind' | 'options'>, value: string): boolean {
  try {
    return checkedValues(field, [value])[0] === value;
  } catch (error) {
    if (error instanceof ValueProblem) return false;
    throw error;
  }
}
