import pino, { type DestinationStream, type Logger } from 'pino';
import { redactText } from './redact.ts';

export type Log = Logger;
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';

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

/**
 * A structured log: one JSON object a line. Fields that carry secrets are replaced by name, one level deep and two,
 * and every message and error text passes `redactText`, because a library may put an address with a secret into one.
 */
export function createLog(level: LogLevel, destination: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        err: (error: unknown) => {
          if (!(error instanceof Error)) return { message: redactText(String(error)) };
          const { code } = error as NodeJS.ErrnoException;
          return {
            type: error.name,
            message: redactText(error.message),
            ...(code === undefined ? {} : { errorCode: code }),
            stack: redactText(error.stack ?? ''),
          };
        },
      },
      hooks: {
        logMethod(args, method) {
          const clean = args.map((arg) => (typeof arg === 'string' ? redactText(arg) : arg));
          method.apply(this, clean as typeof args);
        },
      },
    },
    destination,
  );
}
