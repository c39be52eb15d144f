import { z } from 'zod';
import { ApiError, invalidParameter } from '../http/errors.ts';
import { checkParameters } from '../http/request/check-parameters.ts';
import { integer, virtualPath } from '../http/request/parameters.ts';
import { isReachable } from '../lib/names/names.ts';
import { t } from '../messages/messages.ts';
import { EARLIEST_TIME, LATEST_TIME } from '../storage/disk/time-limits.ts';

const HEADER = 'Upload-Metadata';

const HOME = '/ROOT/HOME';

/** The longest path and name in Base64, and as much of other keys. It is stored with the upload. */
const MAX_CHARACTERS = 12_000;

/** What the metadata of an upload says about its file. */
export interface FileMetadata {
  /** Virtual path of the file. */
  readonly path: string;
  /** Seconds since the epoch. */
  readonly lastModified: number | undefined;
}

const known = z.object({
  path: virtualPath().optional(),
  lastModified: integer({ min: EARLIEST_TIME, max: LATEST_TIME }).optional(),
});

/**
 * Reads `Upload-Metadata`: `filename`, `path` (the folder, by default the home) and `lastModified` (seconds since the epoch). Other
 * keys are only returned to the client, also `filetype`: the type of a file follows from its name.
 * @throws ApiError `missing_parameter`, `invalid_parameter`, `invalid_name`, `invalid_path`
 */
export function fileMetadata(header: string): FileMetadata {
  const values = parse(header);
  const filename = values.get('filename');
  if (filename === undefined || filename === '') {
    throw new ApiError('missing_parameter', t('api.tus.filename'), { details: { parameter: 'filename' } });
  }
  if (filename.includes('/') || !isReachable(filename)) {
    throw new ApiError('invalid_name', t('api.tus.filename'), { details: { parameter: 'filename' } });
  }
  const { path = HOME, lastModified } = Object.fromEntries(values);
  // An empty value is a key without one, as for `lastModified` of clients that do not know it.
  const folder = path === '' ? HOME : path;
  const time = lastModified === '' ? undefined : lastModified;
  const checked = checkParameters(known, { path: folder, lastModified: time });
  const whole = `${folder.replace(/\/+$/, '')}/${filename}`;
  checkParameters(known, { path: whole });
  return { path: whole, lastModified: checked.lastModified };
}

/** Extension creation, Upload-Metadata: keys are ASCII, not empty and unique. A value may be missing. */
function parse(header: string): Map<string, string> {
  const values = new Map<string, string>();
  if (header.length > MAX_CHARACTERS)
    throw invalidParameter(HEADER, t('api.tus.metadataTooLong', { most: MAX_CHARACTERS }));
  if (header.trim() === '') return values;
  for (const pair of header.split(',')) {
    const [, key = '', encoded = ''] = /^ *([\x21-\x2b\x2d-\x7e]+)(?: +([A-Za-z0-9+/]*={0,2}))? *$/.exec(pair) ?? [];
    if (key === '' || values.has(key)) throw invalidParameter(HEADER, t('api.tus.metadata'));
    values.set(key, decoded(encoded));
  }
  return values;
}

function decoded(encoded: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    throw invalidParameter(HEADER, t('api.tus.metadata'));
  }
}

/** @param path as in `FileMetadata` */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}
