import type { Caller } from '../../access/caller.ts';
import { ApiError } from '../../http/errors.ts';
import { extensionOf } from '../../lib/names/file-types.ts';
import { utf8Text } from '../../lib/text/utf8-text.ts';
import { t } from '../../messages/messages.ts';
import { JobError } from '../../workers/job-error.ts';
import { MAX_SHOWN } from '../../workers/text/jobs.ts';
import { isMarkup } from '../../workers/text/kinds.ts';
import type { DownloadContext } from './context.ts';
import { readStart } from './read-start.ts';

interface ShownText {
  /** Null if the file is not a text. */
  readonly text: string | null;
  /** Bytes of the text, if the rest of the file is left out. */
  readonly cutAt: number | null;
}

/**
 * The beginning of a text file, for people to read. It counts as a download. Its encoding is found as for the search, in a worker;
 * UTF-8 needs none.
 * @param name of the file: markup may declare its encoding
 * @param version of an earlier content; undefined for the present one
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path` for a folder, `too_many_requests` when too many others wait
 */
export async function readText(
  context: DownloadContext,
  caller: Caller,
  path: readonly string[],
  { name, version }: { readonly name: string; readonly version?: number | undefined },
): Promise<ShownText> {
  const { content, size } = await readStart(context, caller, path, MAX_SHOWN, version);
  const cutAt = size > content.length ? content.length : null;
  const declares = isMarkup(extensionOf(name));
  const decoded = async () =>
    (await unlessUnreadable(context.texts.run('decode', { content, isCut: cutAt !== null, isMarkup: declares })))?.text;
  const text = (declares ? null : utf8Text(content, { isCut: cutAt !== null })) ?? (await decoded()) ?? null;
  return { text, cutAt };
}

/**
 * What a worker reads of a file for people.
 * @returns null for bytes on which the worker fails
 * @throws ApiError `too_many_requests` when too many others wait, `shutting_down`
 */
export async function unlessUnreadable<Output>(job: Promise<Output>): Promise<Output | null> {
  try {
    return await job;
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    if (error.reason !== 'busy' && error.reason !== 'stopped') return null;
    const [code, message] =
      error.reason === 'stopped'
        ? (['shutting_down', t('api.service.stopping')] as const)
        : (['too_many_requests', t('viewer.failed.heading')] as const);
    throw new ApiError(code, message, { headers: { 'Retry-After': '5' }, cause: error });
  }
}
