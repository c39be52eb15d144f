import pino, { type DestinationStream, type Logger } from 'pino';
import { redactText } from './redact.ts';

export type Log = Logger;
type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

const SECRET_FIELDS = [
  'password',
  'newPassword',
  'passphrase',
  'secret',
  'clientSecret',
  'token',
  'accessToken',
  'refreshToken',
  'code',
  'otp',
  'authorization',
  'cookie',
];

/** Characters of one text in a line, which may contain what a client sent. And characters of a stack trace. */
const MAX_TEXT = 300;
const MAX_STACK = 4_000;

/** A text as it is written: truncated if it is very long. */
function shortened(text: string, most = MAX_TEXT): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}… (${text.length} characters)`;
}

function shortenedFields(fields: Record<string, unknown>): Record<string, unknown> {
  const isLong = (value: unknown) => typeof value === 'string' && value.length > MAX_TEXT;
  if (!Object.values(fields).some(isLong)) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? shortened(value) : value]),
  );
}

/**
 * A structured log: one JSON object per line. Fields with secrets are replaced by name, one and two levels deep, and every
 * message and error text passes `redactText`, because a library may include an address with a secret. Long texts are truncated:
 * paths and names come from clients.
 */
export function createLog(level: LogLevel, destination: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
      formatters: { level: (label) => ({ level: label }), log: shortenedFields },
      serializers: {
        err: (error: unknown) => {
          if (!(error instanceof Error)) return { message: shortened(redactText(String(error))) };
          const { code } = error as NodeJS.ErrnoException;
          return {
            type: error.name,
            message: shortened(redactText(error.message)),
            ...(code === undefined ? {} : { errorCode: code }),
            stack: shortened(redactText(error.stack ?? ''), MAX_STACK),
          };
        },
      },
      hooks: {
        logMethod(args, method) {
          const clean = args.map((arg) => (typeof arg === 'string' ? shortened(redactText(arg), MAX_STACK) : arg));
          method.apply(this, clean as typeof args);
        },
      },
    },
    destination,
  );
}
