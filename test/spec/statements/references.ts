/** Short forms of references to the tables that many statements are rows of. */

const OPERATIONS = 'test/spec/operations.test.ts: $what';

/** A row of §4.1: it works by its methods with its scope, and neither without it nor by other methods. */
export const operation = (what: string): readonly string[] => [
  `${OPERATIONS} works with its scope alone, by its methods, in query and form › ${what}`,
  `${OPERATIONS} is refused without its scope, with a text and a code › ${what}`,
  `${OPERATIONS} is refused without a token, and by other methods › ${what}`,
];

/** A scope lets its operation through, and the operation is refused without it. */
export const scopeOf = (what: string): readonly string[] => operation(what).slice(0, 2);

/** An operation is refused without each of the parameters that it needs. */
export const needs = (of: string): string =>
  `test/spec/parameters.test.ts: %s: is refused without each that it needs › ${of}`;

/** A parameter that is no text is refused as anything else; by a row of its operation. */
export const typed = (of: string): string => `test/spec/parameters.test.ts: %s: %s is nothing like "%s" › ${of}`;

/** An option of files/weblink: off by itself, and on where it is sent. */
export const option = (name: string): string =>
  `test/spec/weblinks.test.ts: %s: is off by itself, and on where it is sent, alone › ${name}`;

/** A field of §2.8: type, default, and what add and edit make of it. */
export const field = (parameter: string): string =>
  `test/spec/accounts.test.ts: %s, %s: has its default, and what add and edit say › ${parameter}`;

/** A detail of a listing. */
export const detail = (key: string): string =>
  `test/spec/details.test.ts: %s: is a property of its name, where it is asked for › ${key}`;

/** What a person may do on their own files, by a row: `<operation>, <what>`. */
export const permitted = (row: string): string => `test/api/accounts/permissions.test.ts: %s, %s: %s gets %s › ${row}`;

/** What a share lets do, by a row: `<operation>, <what>`. */
export const shared = (row: string): string =>
  `test/api/sharing/sharing-matrix.test.ts: %s, %s > a recipient: with the required rights and without each of them › ${row}`;
