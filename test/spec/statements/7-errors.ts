import type { Statement } from '../table.ts';
import { operation } from './references.ts';

const BEARER = 'test/oauth/bearer.test.ts';
const IN_USE = 'test/spec/accounts.test.ts: a user name that is taken: the answer of the document';

export const errors: readonly Statement[] = [
  {
    id: '7.1',
    says: 'Every JSON reply has success.',
    proof: [
      'test/spec/operations.test.ts: $what works with its scope alone, by its methods, in query and form',
      'test/spec/operations.test.ts: $what is refused without a token, and by other methods',
      // Failures of the OAuth endpoints have it, too.
      'test/oauth/token-endpoint.test.ts: RFC 6749 §3.2: the request > refuses %s › JSON',
      'test/api/requests.test.ts: gets for %s %.40s: %i %s › /nothing',
    ],
  },
  {
    id: '7.2',
    says: 'When it is false, error holds a text description.',
    proof: [
      'test/spec/operations.test.ts: $what is refused without its scope, with a text and a code',
      'test/api/requests.test.ts: refuses %s › JSON that is an array',
    ],
  },
  {
    id: '7.3',
    says: 'Some failures also carry code, for example username_in_use from admin-users/add.',
    proof: [IN_USE],
  },
  {
    id: '7.4',
    says: 'Failed authorization consent: the redirect receives an error message.',
    proof: [
      'test/oauth/authorization-code.test.ts: returns access_denied if the person refuses',
      'test/spec/access.test.ts: brings no state where none was sent',
    ],
  },
  {
    id: '7.5',
    says: 'A missing access token produces the error text described in 5.5.',
    proof: [`${BEARER}: challenges a request without credentials and names no error (§3.1)`],
  },
  {
    id: '7.6',
    says: 'An unreadable access token produces the error text described in 5.5.',
    proof: [`${BEARER}: refuses %s › an unknown token`, `${BEARER}: refuses %s › a null`],
  },
  {
    id: '7.7',
    says: 'files/unshare returns an error when the item is not shared with the given user or group.',
    proof: ['test/api/sharing/sharing.test.ts: fails if nothing is shared with the user or group (§3, §8.4)'],
  },
  {
    id: '7.8',
    says: 'files/share on an already shared item returns no error.',
    proof: ['test/api/sharing/sharing.test.ts: changes an existing share, and keeps omitted properties (§3, §8.5)'],
  },
  {
    id: '7.9',
    says: 'Plain HTTP requests are refused.',
    proof: ['test/api/requests.test.ts: over plain HTTP gets https_required, as JSON, and a page in a browser'],
  },
  {
    id: '7.10',
    says: 'unless the control-panel option allows HTTP.',
    proof: [
      'test/spec/access.test.ts: answers over plain HTTP while that is allowed for testing, and not before and after',
    ],
  },
  {
    id: '7.11',
    says: 'A token used outside its scopes is refused.',
    proof: [`${BEARER}: $method $operation needs $scopes`, ...operation('Delete').slice(1, 2)],
  },
];
