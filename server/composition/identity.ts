import { createAccounts } from '../accounts/accounts.ts';
import { createPasswordResets } from '../accounts/passwords/password-resets.ts';
import { createAccountPictures } from '../accounts/pictures.ts';
import { createDevices } from '../accounts/sign-in/devices.ts';
import { createSessions } from '../accounts/sign-in/sessions.ts';
import { createSignIn } from '../accounts/sign-in/sign-in.ts';
import { createTwoStep } from '../accounts/sign-in/two-step.ts';
import { createMailQueue } from '../mail/mail-queue.ts';
import { createMailer } from '../mail/mailer.ts';
import { createAppPasswords } from '../oauth/app-passwords.ts';
import { createAuthorizationCodes } from '../oauth/authorization-codes.ts';
import { createBearer } from '../oauth/bearer.ts';
import { createClients } from '../oauth/clients/clients.ts';
import { createProgramAuth } from '../oauth/program-auth.ts';
import { createTokens } from '../oauth/tokens.ts';
import { createLoginFlows } from '../people/login-flows.ts';
import { createQuotaWarnings } from '../people/quota-warnings.ts';
import type { Base } from './base.ts';
import type { Storage } from './storage.ts';

export type Identity = Awaited<ReturnType<typeof openIdentity>>;

/** Accounts, sign-in, sessions and tokens, and mail to people. */
export async function openIdentity({ events, clock, log, closers }: Base, { database, settings, workers }: Storage) {
  const accounts = createAccounts(database, clock, events);
  const clients = createClients(database, clock, events);
  await clients.ensureMobileClient();
  const tokens = createTokens(database, clock, events);
  const appPasswords = createAppPasswords(database, clock, events);
  const bearer = createBearer({ tokens, accounts, database, clock });
  const sessions = createSessions({ database, accounts, settings, clock });
  const twoStep = createTwoStep(database, clock);
  const devices = createDevices(database, clock);
  const mailer = createMailer({ settings: () => settings.values, log });
  closers.add('mailer', () => mailer.close());
  const mails = createMailQueue({ database: database.activity, mailer, clock, log });
  closers.add('mails', () => mails.close());
  const quotaWarnings = createQuotaWarnings({ database, events, settings, mails, clock, log });
  closers.add('quota warnings', () => quotaWarnings.close());
  return {
    accounts,
    clients,
    tokens,
    appPasswords,
    bearer,
    authenticateProgram: createProgramAuth({ appPasswords, accounts, database, clock, events, bearer }),
    codes: createAuthorizationCodes(database, clock, tokens),
    sessions,
    twoStep,
    devices,
    signIn: createSignIn({ database, accounts, devices, twoStep, settings, clock, events }),
    passwordResets: createPasswordResets(database, clock),
    loginFlows: createLoginFlows(clock, () => {
      const { apiEnabled, nextcloudApps, webdav } = settings.values;
      return apiEnabled && nextcloudApps && webdav;
    }),
    pictures: createAccountPictures({
      database,
      clock,
      decode: async (bytes) => (await workers.images.run('picture', { bytes })).bytes,
    }),
    mailer,
    mails,
    hasOwner: async () => (await accounts.count()) > 0,
    /** Begins to send what is in the queue. */
    start: () => mails.start(),
  };
}
