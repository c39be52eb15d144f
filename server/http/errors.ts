import { t } from '../messages/messages.ts';
/** Every machine code a reply can carry, with its HTTP status. The reference lists them in this order. */
export const ERROR_STATUS = {
  missing_parameter: 400,
  invalid_parameter: 400,
  malformed_body: 400,
  too_many_parameters: 400,
  invalid_path: 400,
  invalid_name: 400,
  invalid_token: 401,
  insufficient_scope: 403,
  https_required: 403,
  api_disabled: 403,
  permission_denied: 403,
  account_deactivated: 403,
  account_expired: 403,
  password_change_required: 403,
  not_found: 404,
  unknown_endpoint: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  already_exists: 409,
  already_starred: 409,
  not_starred: 409,
  not_shared: 409,
  no_weblink: 409,
  username_in_use: 409,
  conflict: 409,
  not_locked: 409,
  already_locked: 409,
  link_expired: 410,
  link_used_up: 410,
  length_required: 411,
  precondition_failed: 412,
  upload_too_large: 413,
  uri_too_long: 414,
  type_not_allowed: 415,
  unsupported_media: 415,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  unknown_host: 421,
  unsafe_archive: 422,
  corrupt_file: 422,
  digest_mismatch: 422,
  locked: 423,
  too_many_requests: 429,
  headers_too_large: 431,
  internal_error: 500,
  bad_gateway: 502,
  storage_offline: 503,
  shutting_down: 503,
  temporarily_unavailable: 503,
  quota_exceeded: 507,
  disk_full: 507,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

interface ApiErrorOptions {
  /** Machine-readable facts for the client. */
  details?: Record<string, unknown>;
  /** Several values are sent as several header fields. */
  headers?: Record<string, string | readonly string[]>;
  /** The status, where another protocol than the API prescribes one of its own. */
  status?: number;
  /** The internal cause: logged, never part of the reply. */
  cause?: unknown;
}

/** The one error a client sees. Its message is a text of the catalogue, for people. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string | readonly string[]>;

  constructor(code: ErrorCode, message: string, { details, headers = {}, status, cause }: ApiErrorOptions = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = status ?? ERROR_STATUS[code];
    this.details = details;
    this.headers = headers;
  }
}

export function missingParameter(parameter: string): ApiError {
  return new ApiError('missing_parameter', t('api.parameters.missing', { parameter }), { details: { parameter } });
}

export function invalidParameter(parameter: string, message: string): ApiError {
  return new ApiError('invalid_parameter', message, { details: { parameter } });
}
