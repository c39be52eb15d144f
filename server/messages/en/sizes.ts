/** Sizes, in steps of 1024. */
export const sizeMessages = {
  'sizes.bytes': '{count, plural, one {{count} byte} other {{count} bytes}}',
  'sizes.kilobytes': '{amount} KB',
  'sizes.megabytes': '{amount} MB',
  'sizes.gigabytes': '{amount} GB',
  'sizes.terabytes': '{amount} TB',
  'sizes.petabytes': '{amount} PB',
  'sizes.exact': '{count, plural, one {# byte} other {# bytes}}',
} as const;
