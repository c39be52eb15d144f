import type { Response } from 'express';
import type { Accounts } from '../../accounts/accounts.ts';
import type { AccountPictures } from '../../accounts/pictures.ts';
import type { Devices } from '../../accounts/sign-in/devices.ts';
import type { NotProved, SignIn } from '../../accounts/sign-in/sign-in.ts';
import type { TwoStep } from '../../accounts/sign-in/two-step.ts';
import type { Activity } from '../../activity/activity.ts';
import type { StorageUse } from '../../catalogue/storage-use.ts';
import type { Database } from '../../database/database.ts';
import type { FilesContext } from '../../files/context.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Events } from '../../lib/events.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import type { Clients } from '../../oauth/clients/clients.ts';
import type { ConnectedApps } from '../../oauth/connected-apps.ts';
import type { AppPasswordsContext } from '../../people/app-passwords.ts';
import type { ChangePassword } from '../../people/change-password.ts';
import type { LoginFlows } from '../../people/login-flows.ts';
import { waitProblem } from '../auth/sign-in-problem.ts';
import { type PageContext, type SignedIn, showContent } from '../shell/page-context.ts';
import { accountFrame } from './forms.ts';
import { keysHelp } from './keys.ts';

export interface AccountPagesParts extends PageContext {
  readonly activity: Pick<Activity, 'listOwn'>;
  readonly database: Pick<Database, 'write'>;
  readonly accounts: Accounts;
  readonly devices: Devices;
  readonly signIn: SignIn;
  readonly twoStep: TwoStep;
  readonly pictures: AccountPictures;
  readonly connectedApps: ConnectedApps;
  readonly clients: Clients;
  readonly changePassword: ChangePassword;
  readonly appPasswordsContext: AppPasswordsContext;
  /** Whether the owner allows programs to connect. */
  readonly allowsPrograms: () => boolean;
  /** Apps that wait for someone to sign in with a browser. */
  readonly loginFlows: LoginFlows;
  readonly events: Events;
  readonly clock: Clock;
  readonly files: FilesContext;
  /** Whether browsers may keep pages and lists for when the server cannot be reached. */
  readonly keepsPages: () => boolean;
  /** Space used by a person's files; null while their disk is unavailable, or if there are none. */
  readonly storageUse: (homeId: string | null) => Promise<StorageUse | null>;
}

export interface AccountPage {
  readonly title: string;
  /** The page, as in its address. */
  readonly at: string;
  readonly inner: Html;
  /** The result of the last action, by its name in the messages. */
  readonly done?: string;
  readonly status?: number;
  /** What it loads besides: for buttons that copy, or a form that is sent again until everything is done. */
  readonly script?: 'copy' | 'continue';
}

export function showAccountPage(
  parts: AccountPagesParts,
  response: Response,
  visitor: SignedIn,
  { title, at, inner, done = '', status = 200, script }: AccountPage,
): void {
  const shown = accountFrame({
    base: `${parts.basePath}/account/`,
    at,
    inner,
    done: doneText(done),
    isGuest: visitor.session.account.type === 'guest',
  });
  const content = html`${shown}${keysHelp(parts.basePath, visitor.session.account)}`;
  response.setHeader('Content-Security-Policy', WITH_SCRIPTS);
  const { assets } = parts;
  if (script === undefined) {
    showContent(parts, response, visitor, { title, content, status, head: assets.load('keys') });
    return;
  }
  const said = html`${content}<div class="unseen" id="say" role="status"></div>`;
  showContent(parts, response, visitor, { title, content: said, status, head: assets.load('keys', script) });
}

/** Like the policy of other pages, and our own scripts: one for the keys. */
const WITH_SCRIPTS = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'form-action'].map((name) => `${name} 'self'`),
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const DONE = [
  'revoked',
  'appPassword',
  'signedOut',
  'profile',
  'picture',
  'password',
  'twoStep',
  'twoStepOff',
  'hiddenFiles',
  'hiddenFilesKept',
  'ownDevice',
  'ownDeviceOff',
] as const;

function doneText(done: string): string | null {
  const name = DONE.find((one) => one === done);
  return name === undefined ? null : t(`account.done.${name}`);
}

/** The field that shows why someone could not confirm their identity, with its text. */
export function notProvedProblem(result: NotProved): Record<string, string> {
  switch (result.outcome) {
    case 'refused':
      return { password: t('confirm.problem.refused') };
    case 'wait':
      return { password: waitProblem(result.seconds) };
    case 'deactivated':
      return { password: t('confirm.problem.deactivated') };
    case 'code-needed':
      return { otp: t('confirm.problem.codeNeeded') };
    case 'code-wrong':
      return { otp: t('signIn.code.wrong') };
  }
}

export function statusOf(result: NotProved): number {
  return result.outcome === 'wait' ? 429 : 422;
}
