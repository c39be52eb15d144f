import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { listenerEnded } from './close-server.ts';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string[];
  /** As transmitted. */
  readonly raw: string;
  /** Its decoded parts, by type. */
  readonly parts: Record<string, string>;
  readonly headers: string;
}

export interface MailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Resolves when there are so many. */
  received(count: number): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** A real SMTP server on loopback. */
export async function openMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const waiting: (() => void)[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const { mailFrom, rcptTo } = session.envelope;
        const headers = raw.slice(0, raw.indexOf('\r\n\r\n'));
        const to = rcptTo.map(({ address }) => address);
        mails.push({ from: mailFrom === false ? '' : mailFrom.address, to, raw, headers, parts: partsOf(raw) });
        done();
        for (const wake of waiting.splice(0)) wake();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    async received(count) {
      while (mails.length < count) await new Promise<void>((wake) => waiting.push(wake));
      const mail = mails[count - 1];
      if (mail === undefined) throw new Error('no mail');
      return mail;
    },
    async close() {
      await new Promise<void>((resolve) => server.close(resolve));
      await listenerEnded();
    },
  };
}

/** Text parts of a multipart message, with quoted-printable and base64 undone (RFC 2045 §6.7, §6.8). */
function partsOf(raw: string): Record<string, string> {
  const parts: Record<string, string> = {};
  for (const match of raw.matchAll(
    /Content-Type: (text\/[a-z]+)[^\n]*\r\n((?:[A-Za-z-]+: [^\n]*\n)*)\r\n([\s\S]*?)\r\n--/gi,
  )) {
    const [, type = '', headers = '', body = ''] = match;
    if (/quoted-printable/i.test(headers)) {
      const bytes = body
        .replace(/=\r\n/g, '')
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
      parts[type] = Buffer.from(bytes, 'latin1').toString('utf8');
    } else if (/base64/i.test(headers)) parts[type] = Buffer.from(body, 'base64').toString('utf8');
    else parts[type] = body;
  }
  return parts;
}
