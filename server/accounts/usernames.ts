import { normalized } from '../lib/names/normalized.ts';
import { tokenHash } from '../lib/random.ts';
import { t } from '../messages/messages.ts';

/** §2.8: letters, digits, and as special characters only underscores, dashes, @, dots and spaces. */
const ALLOWED = /^[\p{L}\p{M}\p{N}_\-@. ]+$/u;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;
const MAX_LENGTH = 64;

/** Why a user name is not allowed, as a sentence, or null. A home is named after it, so device names are excluded. */
export function usernameProblem(username: string): string | null {
  if (username === '') return t('api.usernames.missing');
  if (username.length > MAX_LENGTH || Buffer.byteLength(username) > 200) {
    return t('api.usernames.tooLong', { max: MAX_LENGTH });
  }
  if (!ALLOWED.test(username)) {
    return t('api.usernames.characters');
  }
  if (mixesAlphabets(username)) return t('api.usernames.alphabets');
  if (/^[. ]|[. ]$/.test(username)) return t('api.usernames.ends');
  if (DEVICE.test(username)) return t('api.usernames.device');
  return null;
}

/** Alphabets with letters that look like those of another. */
const ALPHABETS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u];

function mixesAlphabets(username: string): boolean {
  return ALPHABETS.filter((letters) => letters.test(username)).length > 1;
}

/** Letters of other alphabets, and the Latin letters they look like (Unicode TR 39, confusables). */
const LOOK_ALIKES = new Map(
  [
    ...[
      'аa',
      'вb',
      'еe',
      'кk',
      'мm',
      'нh',
      'оo',
      'рp',
      'сc',
      'тt',
      'уy',
      'хx',
      'ѕs',
      'іi',
      'јj',
      'ԁd',
      'һh',
      'ԛq',
      'ԝw',
    ],
    ...['αa', 'εe', 'ηn', 'ιi', 'κk', 'νv', 'οo', 'ρp', 'τt', 'υu', 'χx'],
    ...['օo', 'ոn', 'սu', 'հh', 'ցg', 'յj', 'ѵv', 'ʏy', 'ıi', 'ɑa', 'ɡg'],
  ].map((pair) => [...pair] as [string, string]),
);

/** Longer than any valid name; longer texts match no account, and are not processed. In UTF-16 units. */
const MAX_FOLDED = 512;

/** User names with equal results count as the same name: they differ only in case, or in letters that look alike. */
export function foldUsername(username: string): string {
  // No name has a control character, so this equals no name, but is equal for equal texts.
  if (username.length > MAX_FOLDED) return `\0${tokenHash(username).toString('base64')}`;
  const folded = [...normalized(username, 'NFKC').toLowerCase()].map((sign) => LOOK_ALIKES.get(sign) ?? sign).join('');
  // A mark after a replaced letter may combine with it.
  return normalized(folded, 'NFKC');
}
