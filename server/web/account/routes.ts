import express, { type Response, type Router } from 'express';
import { AccountProblem } from '../../accounts/accounts.ts';
import { requirePermission } from '../../accounts/permissions/require-permission.ts';
import { sessionStillOpen } from '../../accounts/sign-in/proof-validity.ts';
import { once } from '../../lib/async/once.ts';
import { actorOf } from '../../lib/events.ts';
import { t } from '../../messages/messages.ts';
import { textProblem } from '../../people/account-changes.ts';
import { avatar } from '../shell/avatar.ts';
import { rememberDevice } from '../shell/browser-session.ts';
import { continueByWorker, forgetOwnDevice, ownDeviceOf, rememberOwnDevice } from '../shell/own-device.ts';
import {
  formForSignedIn,
  forSignedIn,
  originOf,
  type ShowSignIn,
  type SignedIn,
  triedBy,
} from '../shell/page-context.ts';
import { activityPages } from './activity.ts';
import { type AccountPage, type AccountPagesParts, notProvedProblem, showAccountPage, statusOf } from './context.ts';
import { passwordForm, profileForm } from './forms.ts';
import { hiddenFilesPages } from './hidden-files.ts';
import { overviewSections } from './overview.ts';
import { accountPicture } from './picture.ts';
import { connectPages } from './programs/connect.ts';
import { keptPasswordsIn } from './programs/kept-passwords.ts';
import { programPages } from './programs/routes.ts';
import { twoStepPages } from './two-step.ts';

// Loaded on first use: many sessions never need it.
const devices = once(() => import('../shell/device-name.ts'));

/** The pages on which people manage their own account. */
export function accountPages(parts: AccountPagesParts, showSignIn: ShowSignIn): Router {
  const { basePath, database, sessions, connectedApps, clients, accounts, signIn, twoStep, events, clock } = parts;
  const base = `${basePath}/account/`;
  const router = express.Router({ caseSensitive: true });

  const page = (response: Response, visitor: SignedIn, shown: AccountPage) =>
    showAccountPage(parts, response, visitor, shown);

  async function showPassword(
    response: Response,
    visitor: SignedIn,
    { kept = [], problems = {}, status = 200 }: { kept?: number[]; problems?: Record<string, string>; status?: number },
  ): Promise<void> {
    const passwords = await parts.appPasswordsContext.appPasswords.list(visitor.session.account.id);
    const inner = passwordForm({ base, visitor, problems, kept: { passwords, kept, now: clock.now() } });
    page(response, visitor, { title: t('password.heading'), at: 'password', inner, status });
  }

  function showProfile(
    response: Response,
    visitor: SignedIn,
    shown: {
      values: { name: string; lastName: string; email: string };
      problems?: Record<string, string>;
      status?: number;
    },
  ): void {
    const { values, problems = {}, status = 200 } = shown;
    const picture = avatar({ account: visitor.session.account, basePath, size: 'large' });
    const inner = profileForm({ base, visitor, picture, values, problems });
    page(response, visitor, { title: t('profile.heading'), at: 'profile', inner, status });
  }

  router.get(
    '/account',
    forSignedIn(parts, showSignIn, async (request, response, visitor) => {
      const { session, formToken } = visitor;
      const { account } = session;
      const { deviceOf } = await devices();
      const [apps, appPasswords, list, storage, recoveryCodesLeft] = await Promise.all([
        connectedApps.list(account.id),
        parts.appPasswordsContext.appPasswords.list(account.id),
        sessions.list(account.id),
        parts.storageUse(account.homeId),
        twoStep.recoveryCodesLeft(account.id),
      ]);
      const inner = overviewSections({
        account,
        picture: avatar({ account, basePath, size: 'large' }),
        base,
        logos: `${basePath}/oauth2/logo`,
        formToken,
        now: clock.now(),
        panel: parts.panelFor(request, account),
        storage,
        apps,
        appPasswords,
        sessions: list,
        thisSession: session.id,
        deviceOf,
        recoveryCodesLeft,
        isOwnDevice: parts.keepsPages() ? ownDeviceOf(request) === account.id : null,
        household: parts.householdName(),
      });
      const done = new URLSearchParams(request.originalUrl.split('?')[1]).get('done') ?? '';
      page(response, visitor, { title: t('account.title', { household: parts.householdName() }), at: '', inner, done });
    }),
  );

  router.post(
    '/account/apps/revoke',
    formForSignedIn(parts, showSignIn, async (request, response, { session }, { app = '' }) => {
      const client = await clients.byClientId(app);
      const { account } = session;
      if (client !== null) await connectedApps.revoke(account.id, client.id, 'by the person', originOf(request));
      response.redirect(303, `${base}?done=revoked#apps`);
    }),
  );

  router.post(
    '/account/devices/sign-out',
    formForSignedIn(parts, showSignIn, async (request, response, { session }, { session: which = '' }) => {
      const { account } = session;
      if (which === 'others') await sessions.endOthers(account.id, session.id);
      else if (/^\d{1,15}$/.test(which)) await sessions.endOf(account.id, Number(which));
      events.emit('session.ended', {
        actor: actorOf(originOf(request), account),
        sessions: which === 'others' ? 'others' : 'one',
      });
      response.redirect(303, `${base}?done=signedOut#devices`);
    }),
  );

  router.post(
    '/account/own-device',
    formForSignedIn(parts, showSignIn, async (_request, response, { session }, { keep = '' }) => {
      const isKept = keep === '1' && parts.keepsPages();
      if (isKept) rememberOwnDevice(response, session.account.id);
      else forgetOwnDevice(response);
      continueByWorker(response, basePath, `${base}?done=${isKept ? 'ownDevice' : 'ownDeviceOff'}#own-device`);
    }),
  );

  router.get(
    '/account/profile',
    forSignedIn(parts, showSignIn, async (_request, response, visitor) => {
      const { name, lastName, email } = visitor.session.account;
      showProfile(response, visitor, { values: { name, lastName, email } });
    }),
  );

  router.post(
    '/account/profile',
    formForSignedIn(parts, showSignIn, async (request, response, visitor, fields) => {
      const { account } = visitor.session;
      requirePermission(account, 'edit_profile');
      const { name = '', last_name: lastName = '', email = '', password = '', otp = '' } = fields;
      const values = { name, lastName, email };
      const again = (problems: Record<string, string>, status = 422) =>
        showProfile(response, visitor, { values, problems, status });
      const changed = (Object.keys(values) as (keyof typeof values)[]).filter(
        (key) => values[key].trim() !== account[key],
      );
      const problem = textProblem(values);
      if (problem !== null) return again({ [problem.field]: problem.message });
      // A mail to this address can reset the password, so changing it requires confirming the identity.
      if (changed.includes('email')) {
        const proved = await signIn.confirm(account, { password, otp, ...triedBy(request) });
        if (proved.outcome !== 'confirmed') return again(notProvedProblem(proved), statusOf(proved));
      }
      const stillProved = sessionStillOpen(visitor.session.id);
      const isWritten = await database.write(async (tx) => {
        if (!(await stillProved(tx))) return false;
        await accounts.write(account.id, values, tx);
        return true;
      });
      // The session ended on another device meanwhile: the page asks to sign in.
      if (!isWritten) return response.redirect(303, `${base}profile`);
      if (changed.length > 0) {
        events.emit('profile.changed', { actor: actorOf(originOf(request), account), fields: changed });
      }
      response.redirect(303, `${base}?done=profile`);
    }),
  );

  router.get(
    '/account/password',
    forSignedIn(parts, showSignIn, (_request, response, visitor) => showPassword(response, visitor, {})),
  );

  router.post(
    '/account/password',
    formForSignedIn(parts, showSignIn, async (request, response, visitor, fields) => {
      const { account, id: sessionId } = visitor.session;
      requirePermission(account, 'change_pass');
      const { password: current = '', new_password: password = '', repeat = '', otp = '' } = fields;
      const appPasswords = keptPasswordsIn(fields);
      const again = (problems: Record<string, string>, status = 422) =>
        showPassword(response, visitor, { kept: appPasswords, problems, status });
      if (password !== repeat) return again({ repeat: t('newPassword.differ') });
      const { from, device } = triedBy(request);
      const proved = await signIn.confirm(account, { password: current, otp, from, device });
      if (proved.outcome !== 'confirmed') return again(notProvedProblem(proved), statusOf(proved));
      try {
        await parts.changePassword({ account, password, keep: { sessionId, appPasswords }, from });
      } catch (error) {
        if (!(error instanceof AccountProblem)) throw error;
        return again({ new_password: error.message });
      }
      await rememberDevice(parts.devices, request, response, account.id, sessionStillOpen(sessionId));
      response.redirect(303, `${base}?done=password`);
    }),
  );

  // Reloading the reply to a form leads back to the page of the form.
  router.get(['/account/apps/revoke', '/account/devices/sign-out', '/account/own-device'], (_request, response) =>
    response.redirect(303, base),
  );
  router.get(['/account/two-step/enable', '/account/two-step/change'], (_request, response) =>
    response.redirect(303, `${base}two-step`),
  );
  router.use(
    accountPicture(parts, showSignIn, (response, visitor, problem, status) => {
      const { name, lastName, email } = visitor.session.account;
      showProfile(response, visitor, { values: { name, lastName, email }, problems: { picture: problem }, status });
    }),
  );
  router.use(twoStepPages(parts, showSignIn));
  router.use(hiddenFilesPages(parts, showSignIn));
  router.use(activityPages(parts, showSignIn));
  router.use(programPages(parts, showSignIn));
  router.use(connectPages(parts, showSignIn));
  return router;
}
