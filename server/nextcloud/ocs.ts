import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '../http/errors.ts';
import { sendJson } from '../http/response/envelope.ts';
import { sendBody } from '../http/response/send-buffer.ts';
import { escapeXml } from '../webdav/xml/xml-tree.ts';

/** What a reply contains: rendered as JSON, or as XML. */
export type OcsValue =
  | string
  | number
  | boolean
  | null
  | readonly OcsValue[]
  | { readonly [name: string]: OcsValue | undefined };

/** The two versions of the protocol differ in how they state the result (Open Collaboration Services, 1.7). */
export type OcsVersion = 1 | 2;

/** Statuses of version 1 for failures that have one of their own. Its HTTP status is 200 for all others. */
const OF_VERSION_1: Readonly<Partial<Record<number, number>>> = { 401: 997, 412: 997, 500: 996 };
const UNKNOWN_ADDRESS = 998;

/** Sends a result. */
export function sendOcs(request: IncomingMessage, response: ServerResponse, version: OcsVersion, data: OcsValue): void {
  const meta = { status: 'ok', statuscode: version === 1 ? 100 : 200, message: 'OK' };
  send(request, response, { meta, data });
}

/** Sends a failure, with its text as the message. */
export function sendOcsFailure(
  request: IncomingMessage,
  response: ServerResponse,
  version: OcsVersion,
  error: ApiError,
): void {
  if (response.headersSent) return;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  const { status, message, code } = error;
  // Version 1 says it in the body, but not whether there is anyone to ask.
  const isInBody = version === 1 && status !== 401 && code !== 'api_disabled';
  response.statusCode = isInBody ? 200 : status;
  const ofVersion1 = code === 'unknown_endpoint' ? UNKNOWN_ADDRESS : (OF_VERSION_1[status] ?? status);
  const statuscode = version === 2 ? status : ofVersion1;
  send(request, response, { meta: { status: 'failure', statuscode, message }, data: [] });
}

function send(request: IncomingMessage, response: ServerResponse, ocs: { meta: OcsValue; data: OcsValue }): void {
  if (wantsJson(request)) {
    sendJson(response, response.statusCode, { ocs });
    return;
  }
  response.setHeader('Content-Type', 'application/xml; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  void sendBody(response, `<?xml version="1.0"?>\n${element('ocs', ocs)}\n`);
}

/** XML is the format unless the client names the other one. */
function wantsJson({ url = '', headers }: IncomingMessage): boolean {
  const format = new URLSearchParams(url.split('?', 2)[1] ?? '').get('format');
  return format === null ? /\bapplication\/json\b/.test(headers.accept ?? '') : format === 'json';
}

/** The entries of a list are elements of one name; true is 1, and false and null are empty. */
function element(name: string, value: OcsValue | undefined): string {
  if (value === undefined) return '';
  return `<${name}>${contentOf(value)}</${name}>`;
}

function contentOf(value: OcsValue): string {
  if (value === null || value === false) return '';
  if (value === true) return '1';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escapeXml(value);
  if (isList(value)) return value.map((one) => element('element', one)).join('');
  return Object.entries(value)
    .map(([name, one]) => element(name, one))
    .join('');
}

function isList(value: OcsValue): value is readonly OcsValue[] {
  return Array.isArray(value);
}
