import { once } from '../lib/async/once.ts';
import type { createOAuthModel } from './model.ts';
import type { tokenEndpoint } from './token-endpoint.ts';

type Parts = Parameters<typeof createOAuthModel>[0] & Omit<Parameters<typeof tokenEndpoint>[0], 'model'>;

/** The token endpoint, loaded for the first token: many starts do without, and it is large. */
export function tokenEndpointInTime(parts: Parts): ReturnType<typeof tokenEndpoint> {
  const loaded = once(async () => {
    const [endpoint, model] = await Promise.all([import('./token-endpoint.ts'), import('./model.ts')]);
    return endpoint.tokenEndpoint({ ...parts, model: model.createOAuthModel(parts) });
  });
  return async (request, response, next) => (await loaded())(request, response, next);
}
