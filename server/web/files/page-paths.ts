/** Below `/files`: pages that the script shows in place of one another. */
export const PAGES_IN_PLACE = [
  '/',
  '/search',
  '/item',
  '/edit',
  '/versions',
  '/versions/compare',
  '/albums',
  '/album',
  '/map',
] as const;

/** Below `/files`: all pages. Where the server cannot be reached, the service worker shows another one in their place. */
export const FILE_PAGES = [
  ...PAGES_IN_PLACE,
  '/share',
  '/link',
  '/link/several',
  '/albums/share',
  '/photo-backup',
  '/import',
  '/imports',
] as const;
