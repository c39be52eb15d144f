/** Below this length the worst text takes a fraction of a millisecond; every file name is shorter. In UTF-16 units. */
const SHORT = 300;

/** More consecutive combining marks than any language uses, which the Stream-Safe Text Format breaks up. */
const LONG_RUN = /(\p{M}{30})(?=\p{M})/gu;
const COMBINING_GRAPHEME_JOINER = '\u034f';

/**
 * The text in a Unicode normalization form (UAX #15), in linear time for any input: sorting the combining marks of one letter
 * takes quadratic time, for 100,000 of them fifteen seconds. Longer texts are first made stream-safe (UAX #15, section 13), which
 * does not change real ones.
 */
export function normalized(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  const safe = text.length <= SHORT ? text : text.replace(LONG_RUN, `$1${COMBINING_GRAPHEME_JOINER}`);
  return safe.normalize(form);
}
