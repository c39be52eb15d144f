import { readFile } from 'node:fs/promises';
import { connect as connectPlain, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import type { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

/** Where bytes are sent as they are. */
export interface Wire {
  readonly port: number;
  /** The authority of its certificate; null for plain HTTP. */
  readonly ca: string | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Talk {
  readonly answers: readonly Answer[];
  /** Whether the server ended the connection. */
  readonly isClosed: boolean;
  /** What came behind the last whole answer. */
  readonly rest: string;
}

export async function wireOf(installation: Installation, api: ApiClient): Promise<Wire> {
  const ca = await readFile(join(installation.folder, '.larder', 'tls', 'ca.crt'), 'utf8');
  return { port: Number(new URL(api.base).port), ca };
}

/** A connection over which nothing was sent yet. */
export function open({ port, ca }: Wire): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const done = () => {
      socket.off('error', reject);
      // The other end may break it at any time: that is what it is for.
      socket.on('error', () => undefined);
      resolve(socket);
    };
    const at = { port, host: '127.0.0.1' };
    const socket = ca === null ? connectPlain(at, done) : connectTls({ ...at, ca }, done);
    socket.once('error', reject);
  });
}

/**
 * Sends bytes and reads until the server ends the connection.
 * @param within milliseconds after which nobody waits any longer
 */
export async function talk(wire: Wire, sent: string | Buffer, within = 8_000): Promise<Talk> {
  const socket = await open(wire);
  const chunks: Buffer[] = [];
  const isClosed = await new Promise<boolean>((resolve) => {
    const patience = setTimeout(() => resolve(false), within);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => {
      clearTimeout(patience);
      resolve(true);
    });
    socket.write(typeof sent === 'string' ? Buffer.from(sent, 'latin1') : sent);
  });
  socket.destroy();
  return { ...readAnswers(Buffer.concat(chunks).toString('latin1')), isClosed };
}

/** Answers one behind the other, by RFC 9112 §6.3; interim ones (1xx) are left out. */
export function readAnswers(text: string): { answers: Answer[]; rest: string } {
  const answers: Answer[] = [];
  let rest = text;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return { answers, rest };
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1] ?? Number.NaN);
    if (Number.isNaN(status)) return { answers, rest };
    const headers = new Map(fields.map((field) => [nameOf(field), field.slice(field.indexOf(':') + 1).trim()]));
    const behind = rest.slice(end + 4);
    const length = status < 200 || status === 204 || status === 304 ? 0 : Number(headers.get('content-length'));
    if (Number.isNaN(length)) throw new Error(`an answer without a length: ${rest.slice(0, 500)}`);
    if (behind.length < length) return { answers, rest };
    if (status >= 200) answers.push({ status, headers, body: behind.slice(0, length) });
    rest = behind.slice(length);
  }
}

const nameOf = (field: string) => field.slice(0, field.indexOf(':')).toLowerCase();
