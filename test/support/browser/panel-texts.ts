import { catalogue, type MessageKey } from '../../../dist/renderer-modules/messages/messages.js';
import { patternOf, type Values } from '../message-pattern.ts';

/** The texts of the panel, by key: tests do not repeat their wording. */
export { catalogue, t } from '../../../dist/renderer-modules/messages/messages.js';

/** A pattern for a text with unknown arguments. @param known the arguments that are known */
export function like(key: MessageKey, known: Values = {}): RegExp {
  return patternOf(catalogue[key], known);
}
