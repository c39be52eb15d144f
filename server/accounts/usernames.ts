import { normalized } from '../lib/names/normalized.ts';
import { tokenHash } from '../lib/random.ts';
import { t } from '../messages/messages.ts';

/** §2.8: letters, digits, and as special characters only underscores, dashes, @, dots and spaces. */
const ALLOWED = /^[\p{L}\p{M}\p{N}_\-@. ]+$/u;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;
const MAX_LENGTH = 64;

/** Why a user name may not be given, as a sentence, or null when it may. A home is named after it, hence the devices. */
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

/** Letters of other alphabets, and the Latin ones that nobody can tell from them (Unicode TR 39, confusables). */
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

/** No name that anything was given is as long; what is longer is nobody's, and is not worked on. In UTF-16 units. */
const MAX_FOLDED = 512;

/** Names that are equal after this are the same name: in another case, or in letters that look the same. */
export function foldUsername(username: string): string {
  // A control character is in no name: this is the same for the same text, and equal to none.
  if (username.length > MAX_FOLDED) return `\0${tokenHash(username).toString('base64')}`;
  const folded = [...normalized(username, 'NFKC').toLowerCase()].map((sign) => LOOK_ALIKES.get(sign) ?? sign).join('');
  // A mark behind a letter that was replaced may be one letter with it.
  return normalized(folded, 'NFKC');
}
