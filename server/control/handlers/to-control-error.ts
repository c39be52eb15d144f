import { ZodError } from 'zod';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import { ControlError } from '../dispatcher.ts';

/** Converts a domain's validation error to a control error that names the input. */
export async function toControlError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FieldProblem) {
      throw new ControlError('invalid_input', error.message, error.field);
    }
    if (error instanceof ZodError) {
      const issue = error.issues[0];
      throw new ControlError('invalid_input', `"${issue?.path.join('.')}": ${issue?.message}`, issue?.path.join('.'));
    }
    throw error;
  }
}
