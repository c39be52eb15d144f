import { ApiError, invalidParameter } from '../../http/errors.ts';
import { bodyParameters, queryParameters, type RawParameters } from '../../http/request/read-parameters.ts';
import { parseDatetime } from '../../lib/datetime.ts';
import { t } from '../../messages/messages.ts';
import type { SharingCall } from './call.ts';
import { ALL_BITS } from './permissions.ts';

/** Reads one parameter: null where it is not sent. @throws ApiError `invalid_parameter` for a list */
export type ReadParameter = (name: string) => string | null;

export function queryOf({ request }: Pick<SharingCall, 'request'>): ReadParameter {
  return readerOf(queryParameters(request));
}

/** Apps send a form; scripts also JSON, or everything in the query. @throws ApiError also those of the body */
export async function givenIn({
  request,
  response,
}: Pick<SharingCall, 'request' | 'response'>): Promise<ReadParameter> {
  const { parameters } = await bodyParameters(request, response);
  return readerOf({ ...queryParameters(request), ...parameters });
}

function readerOf(raw: RawParameters): ReadParameter {
  return (name) => {
    const value = Object.hasOwn(raw, name) ? (raw[name] ?? null) : null;
    if (value === null) return null;
    if (typeof value === 'object') throw invalidParameter(name, t('api.parameters.text', { parameter: name }));
    return String(value);
  };
}

export function isOn(value: string | null): boolean {
  return value === 'true' || value === '1';
}

/**
 * The bits of `permissions`; null where they are not sent.
 * @param status of the refusal, which differs between new shares and those that are changed
 */
export function bitsIn(given: ReadParameter, status: 400 | 404): number | null {
  const text = given('permissions');
  if (text === null || text === '') return null;
  const bits = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (bits >= 1 && bits <= ALL_BITS) return bits;
  const details = { parameter: 'permissions' };
  throw new ApiError('invalid_parameter', t('api.nextcloud.shares.bits', { max: ALL_BITS }), { details, status });
}

/** A day, as apps send it, may have a time of midnight behind it. */
const DAY = /^(\d{4}-\d\d-\d\d)(?:[T ]00:00(?::00(?:\.0+)?)?)?$/;

/**
 * When a link ends, in milliseconds since the epoch: a day means its end. An empty text means never.
 * @returns undefined where it is not sent, null for never
 * @param status as in `bitsIn`
 */
export function expiryIn(given: ReadParameter, status: 400 | 404): number | null | undefined {
  const text =
    given('expireDate')
      ?.trim()
      .replace(/^"(.*)"$/, '$1') ?? null;
  if (text === null) return undefined;
  if (text === '') return null;
  const time = parseDatetime(DAY.exec(text)?.[1] ?? text);
  if (time !== null) return time;
  const details = { parameter: 'expireDate' };
  throw new ApiError('invalid_parameter', t('api.nextcloud.shares.date'), { details, status });
}

/**
 * Refuses what Larder has no place for: an app is not to believe that it was stored, or that a link shows less than it does.
 * @throws ApiError `invalid_parameter`
 */
export function refuseUnknownOptions(given: ReadParameter): void {
  for (const name of ['note', 'label'] as const) {
    if ((given(name) ?? '') !== '') throw invalidParameter(name, t('api.nextcloud.shares.noText'));
  }
  if (isOn(given('hideDownload'))) throw invalidParameter('hideDownload', t('api.nextcloud.shares.hideDownload'));
}

/** The same for a share with people. */
export function refuseLinkOptions(given: ReadParameter): void {
  if ((given('password') ?? '') !== '') throw invalidParameter('password', t('api.nextcloud.shares.linkOnly'));
  if ((given('expireDate') ?? '') !== '') throw invalidParameter('expireDate', t('api.nextcloud.shares.linkOnly'));
}

/**
 * Whether recipients may download, as `attributes` say it beside the bits; null where they do not.
 * @throws ApiError `invalid_parameter` for what is no list of attributes
 */
export function mayDownloadIn(given: ReadParameter): boolean | null {
  const text = given('attributes') ?? '';
  if (text === '' || text === 'null') return null;
  for (const { scope, key, value, enabled } of attributesIn(text)) {
    if (scope === 'permissions' && key === 'download') return isOn(String(value ?? enabled));
  }
  return null;
}

interface Attribute {
  readonly scope?: unknown;
  readonly key?: unknown;
  readonly value?: unknown;
  /** The name of `value` in older versions. */
  readonly enabled?: unknown;
}

function attributesIn(text: string): Attribute[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null)) return value;
  throw invalidParameter('attributes', t('api.parameters.invalid', { parameter: 'attributes' }));
}
