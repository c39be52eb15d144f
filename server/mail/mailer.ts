import type { Transporter } from 'nodemailer';
import { once } from '../lib/async/once.ts';
import { MINUTE, SECOND } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import { programFile } from '../lib/program-files.ts';
import { t } from '../messages/messages.ts';
import { htmlOf, MARK_ID, type Message, textOf } from './message.ts';

/** The owner's mail server, and the sender. */
interface MailSettings {
  readonly smtpHost: string;
  readonly smtpPort: number;
  readonly smtpSecurity: 'tls' | 'starttls' | 'none';
  readonly smtpUsername: string;
  readonly smtpPassword: string;
  readonly mailFrom: string;
  readonly householdName: string;
}

export interface Mailer {
  /** Whether a mail server is configured. */
  isSetUp(): boolean;
  /** Sends it in the background, with some retries; the result is logged. */
  send(message: Message): void;
  /** Sends it now. @throws MailProblem */
  sendNow(message: Message): Promise<void>;
  /** Waiting mails are no longer sent. */
  close(): Promise<void>;
}

/** Why a mail could not be sent, as a sentence for the owner. */
export class MailProblem extends Error {
  /** Whether the server rejected this message permanently, so that a retry is useless. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

/** The pauses before the second try, the third, and so on. */
const PAUSES = [10 * SECOND, MINUTE, 5 * MINUTE];
const MAX_QUEUED = 1_000;
const TIMEOUT = 20 * SECOND;
/** How long a stop waits for mails being sent. */
const CLOSE_TIMEOUT = 2 * SECOND;
const MARK = programFile('assets/mail/mark.png');

// Most households start without mail, so the library is loaded on first use.
const nodemailer = once(() => import('nodemailer'));

/** Mail through the owner's own server (SMTP, RFC 5321). */
export function createMailer({ settings, log }: { settings: () => MailSettings; log: Log }): Mailer {
  const waiting = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  const isSetUp = () => settings().smtpHost !== '' && settings().mailFrom !== '';

  async function open(): Promise<Transporter> {
    const { smtpHost, smtpPort, smtpSecurity, smtpUsername, smtpPassword } = settings();
    return (await nodemailer()).createTransport({
      host: smtpHost,
      port: smtpPort,
      secure: smtpSecurity === 'tls',
      requireTLS: smtpSecurity === 'starttls',
      ignoreTLS: smtpSecurity === 'none',
      ...(smtpUsername === '' ? {} : { auth: { user: smtpUsername, pass: smtpPassword } }),
      connectionTimeout: TIMEOUT,
      greetingTimeout: TIMEOUT,
      socketTimeout: TIMEOUT,
      // Mails contain only what is in the message: the library must not load files or addresses.
      disableUrlAccess: true,
    });
  }

  async function sendNow(message: Message): Promise<void> {
    if (!isSetUp()) throw new MailProblem(t('mail.problems.notSetUp'));
    const { householdName, mailFrom } = settings();
    const transport = await open();
    try {
      await transport.sendMail({
        from: { name: householdName, address: mailFrom },
        to: { name: '', address: message.to },
        subject: message.subject,
        text: textOf(message),
        html: htmlOf(message, householdName),
        attachments: [{ filename: 'mark.png', path: MARK, cid: MARK_ID }],
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } catch (error) {
      throw new MailProblem(reasonOf(error), { isFinal: isFinal(error), cause: error });
    } finally {
      transport.close();
    }
  }

  function attempt(message: Message, tried: number): void {
    const work: Promise<void> = sendNow(message)
      .then(
        () => log.info({ subject: message.subject }, 'sent a mail'),
        (error: unknown) => {
          log.warn({ subject: message.subject, tried: tried + 1, why: String(error) }, 'failed to send a mail');
          const pause = PAUSES[tried];
          if (pause === undefined || waiting.size >= MAX_QUEUED) return;
          const timer = setTimeout(() => {
            waiting.delete(timer);
            attempt(message, tried + 1);
          }, pause);
          timer.unref();
          waiting.add(timer);
        },
      )
      .finally(() => underWay.delete(work));
    underWay.add(work);
  }

  return {
    isSetUp,
    sendNow,
    send: (message) => attempt(message, 0),
    async close() {
      for (const timer of waiting) clearTimeout(timer);
      let enough: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        enough = setTimeout(resolve, CLOSE_TIMEOUT);
      });
      await Promise.race([Promise.all(underWay), timeout]);
      clearTimeout(enough);
      for (const timer of waiting) clearTimeout(timer);
    },
  };
}

interface SmtpError {
  readonly code?: string;
  /** RFC 5321 §4.2.1. */
  readonly responseCode?: number;
  readonly response?: string;
}

/** The part of an error that the owner can act on. */
function reasonOf(error: unknown): string {
  const { code, response } = error as SmtpError;
  if (code === 'EAUTH') return t('mail.problems.credentials');
  if (code === 'EDNS' || code === 'ENOTFOUND') return t('mail.problems.unknownHost');
  if (code === 'ECONNECTION' || code === 'ECONNREFUSED' || code === 'ESOCKET' || code === 'ETIMEDOUT') {
    return t('mail.problems.noAnswer', { reason: (error as Error).message });
  }
  if (code === 'ETLS') return t('mail.problems.notSecure', { reason: (error as Error).message });
  return t('mail.problems.rejected', { reason: response ?? (error as Error).message });
}

/** Problems that the owner can fix (password, address, connection) are not final. */
function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as SmtpError;
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}
