import type { Options } from '@node-rs/argon2';

/** The tasks of the password thread, one after the other. */
export type PasswordTask =
  | { readonly kind: 'hash'; readonly password: string; readonly options: Options }
  | { readonly kind: 'verify'; readonly password: string; readonly passwordHash: string };

export type PasswordReply =
  | { readonly ok: true; readonly value: string | boolean }
  | { readonly ok: false; readonly message: string };
