import type { Transporter } from 'nodemailer';
import { once } from '../lib/async/once.ts';
import { MINUTE, SECOND } from '../lib/clock.ts';
import type { Log } from '../lib/log/log.ts';
import { programFile } from '../lib/program-files.ts';
import { t } from '../messages/messages.ts';
import { htmlOf, MARK_ID, type Message, textOf } from './message.ts';

/** The owner's server for mail, and in whose name it is used. */
export interface MailSettings {
  readonly smtpHost: string;
  readonly smtpPort: number;
  readonly smtpSecurity: 'tls' | 'starttls' | 'none';
  readonly smtpUsername: string;
  readonly smtpPassword: string;
  readonly mailFrom: string;
  readonly householdName: string;
}

export interface Mailer {
  /** Whether the owner has set a server for mail. */
  isSetUp(): boolean;
  /** Sends it some time soon and tries again for a while; the log has what came of it. Nobody waits for it. */
  send(message: Message): void;
  /** Sends it now. @throws MailProblem */
  sendNow(message: Message): Promise<void>;
  /** What is still waiting is not sent any more. */
  close(): Promise<void>;
}

/** Why a mail could not be sent, as a sentence for the owner. */
export class MailProblem extends Error {
  /** Whether the server has refused this very message for good: sent again it would be refused again. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

/** The pauses before the second try, the third, and so on. */
const PAUSES = [10 * SECOND, MINUTE, 5 * MINUTE];
const AT_ONCE = 1_000;
const PATIENCE = 20 * SECOND;
/** How long a stop waits for what is on its way. */
const LAST_PATIENCE = 2 * SECOND;
const MARK = programFile('assets/mail/mark.png');

// Most households start without mail: the library is loaded for the first one.
const nodemailer = once(() => import('nodemailer'));

/** Mail over the owner's own server (SMTP, RFC 5321). */
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
      connectionTimeout: PATIENCE,
      greetingTimeout: PATIENCE,
      socketTimeout: PATIENCE,
      // What goes into a mail is in the message: no file and no address is read for it.
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
        () => log.info({ subject: message.subject }, 'a mail was sent'),
        (error: unknown) => {
          log.warn({ subject: message.subject, tried: tried + 1, why: String(error) }, 'a mail could not be sent');
          const pause = PAUSES[tried];
          if (pause === undefined || waiting.size >= AT_ONCE) return;
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
      const patience = new Promise<void>((resolve) => {
        enough = setTimeout(resolve, LAST_PATIENCE);
      });
      await Promise.race([Promise.all(underWay), patience]);
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

/** What the owner can do something about. */
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

/** What the owner can set right is no reason to give a mail up: password, address, connection. */
function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as SmtpError;
  return responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
}
