import { ApiError } from '../errors.ts';

/**
 * Whether a request that has begun may still be made.
 * @param authenticate checks the request again
 * @returns false for a refusal
 * @throws every other failure
 */
export async function isAllowed(authenticate: () => Promise<unknown>): Promise<boolean> {
  try {
    await authenticate();
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false;
    throw error;
  }
}
