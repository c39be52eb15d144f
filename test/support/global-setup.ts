import { existsSync } from 'node:fs';

/** The tests run the built server, as it ships. */
export default function setup(): void {
  if (!existsSync(new URL('../../dist/server/server.js', import.meta.url))) {
    throw new Error('dist/ is missing: run `npm run build` first, or `npm test`, which does.');
  }
}
