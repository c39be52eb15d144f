// Shared by all requests to the server.

/** The server refused a request, or did not reply. */
export class RequestError extends Error {
  /** HTTP status; 0 without a reply. */
  readonly status: number;
  /** A code of the API; empty without one. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, code = '', details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'RequestError';
    this.status = status;
    this.code = code;
    this.details = details;
  }

  /** @param noAnswer the message if the body has none */
  static fromBody(status: number, body: unknown, noAnswer = ''): RequestError {
    if (!isRecord(body)) return new RequestError(status, noAnswer);
    const { error, code, details } = body;
    return new RequestError(
      status,
      typeof error === 'string' ? error : noAnswer,
      typeof code === 'string' ? code : '',
      isRecord(details) ? details : {},
    );
  }
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rethrows everything that is not a server's reply: it is a bug of ours. */
export function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  throw error;
}

export type QueryValues = Readonly<Record<string, string | number | null | undefined>>;

/** Without halves of pairs, which cannot be encoded. `toWellFormed` is missing in older browsers. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\u{fffd}');

/** A query string without undefined values. Slashes stay readable. */
export function encodeQuery(values: QueryValues): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(String(value))).replaceAll('%2F', '/')}`)
    .join('&');
}
