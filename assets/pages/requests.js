// How the server is asked.

/** Why the server did not do what it was asked; status 0 when it did not answer at all. */
export class Failure extends Error {
  /** In the words of the page. */
  static noAnswer = '';

  constructor(status, body) {
    super(body?.error ?? Failure.noAnswer);
    this.status = status;
    this.code = body?.code ?? '';
    this.details = body?.details ?? {};
  }
}

export function query(values) {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed()).replaceAll('%2F', '/')}`)
    .join('&');
}
