// What all requests to the server have in common.

/** The server refused a request, or did not answer. */
export class RequestError extends Error {
  /** Of HTTP; 0 without an answer. */
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

  /** @param noAnswer the message when the body says nothing */
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

/** Passes everything on that is no answer of the server: it is a fault of ours. */
export function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  throw error;
}

export type QueryValues = Readonly<Record<string, string | number | null | undefined>>;

/** A query string without values that are not there. Slashes stay readable. */
export function encodeQuery(values: QueryValues): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed()).replaceAll('%2F', '/')}`)
    .join('&');
}
