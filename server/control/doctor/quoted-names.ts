import { t } from '../../messages/messages.ts';

/** Characters that a terminal would interpret or not show: control and format characters, and combining marks. */
const UNSEEN = /[\p{C}\p{M}\u2028\u2029]/gu;

/**
 * A name in quotes, with escapes for invisible characters: names that differ only in composition look different, and no name can
 * control the terminal.
 */
export function shown(name: string): string {
  return `"${name.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)}"`;
}

/** A path from the root of a home. */
export function shownPath(segments: readonly string[]): string {
  return shown(segments.join('/'));
}

const EXAMPLES = 3;

/** "a, b, c and 4 more" */
export function few(items: readonly string[], count = items.length, most = EXAMPLES): string {
  const some = items.slice(0, most);
  const more = count - some.length;
  return more > 0 ? t('api.doctor.few', { names: some.join(', '), count: more }) : some.join(', ');
}
