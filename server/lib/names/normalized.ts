/** Below that the worst text takes a fraction of a millisecond; every file name is shorter. In UTF-16 units. */
const SHORT = 300;

/** More combining marks in a row than any language writes, which the Stream-Safe Text Format breaks up. */
const LONG_RUN = /(\p{M}{30})(?=\p{M})/gu;
const COMBINING_GRAPHEME_JOINER = '\u034f';

/**
 * The text in a normalization form of Unicode (UAX #15), in linear time for whatever somebody sends: sorting the combining
 * marks of one letter takes quadratic time, and 100,000 of them fifteen seconds. Longer texts are made stream-safe before
 * (UAX #15, section 13): real ones are so already.
 */
export function normalized(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  const safe = text.length <= SHORT ? text : text.replace(LONG_RUN, `$1${COMBINING_GRAPHEME_JOINER}`);
  return safe.normalize(form);
}
