import { existsSync, writeFileSync } from 'node:fs';

/** The tests run the built server, as it ships. */
export default function setup(): void {
  if (!existsSync(new URL('../../dist/server/composition/larder.js', import.meta.url))) {
    throw new Error('dist/ is missing: run `npm run build` first, or `npm test`, which does.');
  }
  // Without it the server ignores what makes it fail on purpose. The next build removes it.
  writeFileSync(new URL('../../dist/test-build', import.meta.url), '');
}
