import { once } from 'node:events';
import { connect } from 'node:tls';
import type { Household } from '../households/household.ts';

/** A request whose head was checked, and which has sent only the first byte of its body. */
export interface HeldRequest {
  /** Sends the rest. @returns the status of the reply; null when the server closed the connection without one */
  finish(): Promise<number | null>;
  /** Waits until the server closes the connection. @returns the same */
  ended(): Promise<number | null>;
}

/** @param head the request line and headers, without `Host`, `Content-Length` and `Expect` */
export async function holdRequest(
  { port, ca }: Pick<Household, 'port' | 'ca'>,
  head: readonly string[],
  body: string | Buffer,
): Promise<HeldRequest> {
  const bytes = Buffer.from(body);
  const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost' });
  await once(socket, 'secureConnect');
  let reply = '';
  socket.on('data', (chunk) => (reply += chunk));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  // The server asks for the body once it has checked the head.
  const isAsked = new Promise<void>((resolve) => {
    socket.on('data', () => reply.includes('\r\n\r\n') && resolve());
    socket.once('close', () => resolve());
  });
  const lines = [
    ...head,
    `Host: 127.0.0.1:${port}`,
    `Content-Length: ${bytes.length}`,
    'Expect: 100-continue',
    'Connection: close',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await isAsked;
  const asking = 'HTTP/1.1 100 Continue\r\n\r\n';
  if (!reply.startsWith(asking)) throw new Error(`the body is not asked for: ${reply}`);
  socket.write(bytes.subarray(0, 1));
  const ended = async () => {
    await closed;
    const status = /^HTTP\/1\.1 (\d+)/.exec(reply.slice(asking.length))?.[1];
    return status === undefined ? null : Number(status);
  };
  return {
    ended,
    finish() {
      socket.write(bytes.subarray(1));
      return ended();
    },
  };
}

export const FORM = 'Content-Type: application/x-www-form-urlencoded';
