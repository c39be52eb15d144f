import { createAccounts } from '../accounts/accounts.ts';
import { createPasswordResets } from '../accounts/passwords/password-resets.ts';
import { createDevices } from '../accounts/sign-in/devices.ts';
import { createSessions } from '../accounts/sign-in/sessions.ts';
import { createSignIn } from '../accounts/sign-in/sign-in.ts';
import { createTwoStep } from '../accounts/sign-in/two-step.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../lib/clock.ts';
import type { Events } from '../lib/events.ts';
import { createAppPasswordAuth } from '../oauth/app-password-auth.ts';
import { createAppPasswords } from '../oauth/app-passwords.ts';
import { createAuthorizationCodes } from '../oauth/authorization-codes.ts';
import { createBearer } from '../oauth/bearer.ts';
import { createClients } from '../oauth/clients.ts';
import { createTokens } from '../oauth/tokens.ts';
import { createLoginFlows } from '../people/login-flows.ts';
import type { Settings } from '../settings/settings.ts';

/** Accounts, sign-in, sessions and tokens. */
export async function composeAccounts(parts: {
  readonly database: Database;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly events: Events;
}) {
  const { database, settings, clock, events } = parts;
  const accounts = createAccounts(database, clock, events);
  const clients = createClients(database, clock, events);
  await clients.ensureMobileClient();
  const tokens = createTokens(database, clock, events);
  const appPasswords = createAppPasswords(database, clock, events);
  const bearer = createBearer({ tokens, accounts, database, clock });
  const sessions = createSessions({ database, accounts, settings, clock });
  const twoStep = createTwoStep(database, clock);
  const devices = createDevices(database, clock);
  return {
    accounts,
    clients,
    tokens,
    appPasswords,
    bearer,
    authenticateProgram: createAppPasswordAuth({ appPasswords, accounts, database, clock, events, bearer }),
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
  };
}
