import { once } from 'node:events';
import { connect } from 'node:tls';
import type { Household } from '../households/household.ts';

/** A request with its head and only the first byte of its body sent. */
export interface HeldRequest {
  /** Sends the rest. @returns the status of the reply; null when the server closed the connection without one */
  finish(): Promise<number | null>;
}

/** @param head the request line and headers, without `Host` and `Content-Length` */
export async function holdRequest(
  { port, ca }: Pick<Household, 'port' | 'ca'>,
  head: readonly string[],
  body: string,
): Promise<HeldRequest> {
  const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost' });
  await once(socket, 'secureConnect');
  let reply = '';
  socket.on('data', (chunk) => (reply += chunk));
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  const lines = [...head, `Host: 127.0.0.1:${port}`, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close'];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body.slice(0, 1)}`);
  await new Promise((resolve) => setTimeout(resolve, 150));
  return {
    async finish() {
      socket.write(body.slice(1));
      await closed;
      const status = /^HTTP\/1\.1 (\d+)/.exec(reply)?.[1];
      return status === undefined ? null : Number(status);
    },
  };
}

export const FORM = 'Content-Type: application/x-www-form-urlencoded';
