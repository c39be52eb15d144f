import express, { type Request, type Response, type Router } from 'express';
import { AccountProblem, type Accounts } from '../../accounts/accounts.ts';
import type { Devices } from '../../accounts/sign-in/devices.ts';
import type { PendingSignIn, PendingSignIns } from '../../accounts/sign-in/pending-sign-ins.ts';
import { sameCredentials } from '../../accounts/sign-in/proof-validity.ts';
import type { Proof, SignIn, SignInResult } from '../../accounts/sign-in/sign-in.ts';
import type { TwoStep } from '../../accounts/sign-in/two-step.ts';
import type { Clock } from '../../lib/clock.ts';
import { actorOf, type Events } from '../../lib/events.ts';
import { html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import type { AppPasswordsContext } from '../../people/app-passwords.ts';
import type { ChangePassword } from '../../people/change-password.ts';
import { keptPasswordsFields, keptPasswordsIn } from '../account/programs/kept-passwords.ts';
import { beginSession, endSession, formOf, rememberDevice, type Visitor, visitorOf } from '../shell/browser-session.ts';
import { continueByWorker, DEVICE_CHANGED, forgetOwnDevice, ownDeviceOf } from '../shell/own-device.ts';
import { originOf, type PageContext, queryOf, type ShowSignIn, showCard, triedBy } from '../shell/page-context.ts';
import { qrCode } from '../shell/qr-code.ts';
import { codeCard, newPasswordCard, signInCard } from './sign-in-page.ts';
import { signInProblem } from './sign-in-problem.ts';
import { recoveryCodesCard, setUpCard } from './two-step-page.ts';

export interface SignInFlowParts extends PageContext {
  readonly accounts: Accounts;
  readonly devices: Devices;
  readonly signIn: SignIn;
  readonly pendingSignIns: PendingSignIns;
  readonly twoStep: TwoStep;
  readonly changePassword: ChangePassword;
  readonly appPasswordsContext: Pick<AppPasswordsContext, 'appPasswords'>;
  readonly events: Events;
  readonly clock: Clock;
  /** The app an address leads to; the forms of the sign-in may then redirect to the app's own address. @returns its name */
  readonly appBehind: (response: Response, next: string) => Promise<string | null>;
  readonly canReset: () => boolean;
}

/** What stays the same through all steps: who signs in, and where to continue. */
interface SignInTarget {
  readonly next: string;
  readonly username: string;
  readonly kept: boolean;
}

/** Sign-in in steps: password, code, and what an administrator requires before it completes. */
export function signInFlow(parts: SignInFlowParts): { router: Router; showSignIn: ShowSignIn } {
  const { basePath, sessions, signIn, pendingSignIns, twoStep, accounts } = parts;
  const SIGN_IN = `${basePath}/account/sign-in`;

  async function showForm(
    request: Request,
    response: Response,
    visitor: Visitor,
    { target, result, status }: { target: SignInTarget; result?: SignInResult; status?: number | undefined },
  ): Promise<void> {
    if (result?.outcome === 'wait') response.setHeader('Retry-After', result.seconds);
    const [app, owner] = await Promise.all([parts.appBehind(response, target.next), parts.ownerName()]);
    const note = result === undefined ? null : signInProblem(result, owner);
    const below = parts.canReset()
      ? html`<a href="${basePath}/account/forgotten">${t('signIn.forgotten')}</a>`
      : html`${t('signIn.askOwner', { owner })}`;
    showCard(parts, request, response, {
      title: t('signIn.title', { household: parts.householdName() }),
      card: signInCard({ action: SIGN_IN, formToken: visitor.formToken, app, note, ...target }),
      below,
      status: status ?? statusOf(result),
    });
  }

  const showSignIn: ShowSignIn = (request, response, visitor, next, status) =>
    showForm(request, response, visitor, { target: { next, username: '', kept: false }, status });

  /** What follows a try: the next step, or the page that was requested. */
  async function goOn(
    request: Request,
    response: Response,
    visitor: Visitor,
    { target, result, pending }: { target: SignInTarget; result: SignInResult; pending?: string },
  ): Promise<void> {
    if (result.outcome === 'signed-in') {
      if (pending !== undefined) pendingSignIns.end(pending);
      const { kept, next } = target;
      const { account } = result;
      const address = originOf(request).address ?? '';
      const browser = request.headers['user-agent'] ?? '';
      const stillProved = sameCredentials(account);
      const token = await sessions.begin({ accountId: account.id, kept, address, browser, stillProved });
      // The password was changed while it was checked, so it is wrong now.
      if (token === null) return showForm(request, response, visitor, { target, result: { outcome: 'refused' } });
      if (visitor.session !== null) await sessions.end(visitor.session.id);
      await rememberDevice(parts.devices, request, response, account.id, stillProved);
      beginSession(response, token, kept);
      const device = ownDeviceOf(request);
      if (device === null || device === account.id) return response.redirect(303, next);
      // Another person's device until now: what it keeps of theirs ends.
      forgetOwnDevice(response);
      return continueByWorker(response, basePath, next);
    }
    if (!('proof' in result)) return showForm(request, response, visitor, { target, result });
    const { proof } = result;
    const token = pendingSignIns.begin({
      proof,
      visitor: visitor.formKey,
      username: target.username,
      kept: target.kept,
    });
    if (pending !== undefined) pendingSignIns.end(pending);
    await showStep(request, response, { visitor, target, pending: token, result });
  }

  async function showStep(
    request: Request,
    response: Response,
    step: {
      visitor: Visitor;
      target: SignInTarget;
      pending: string;
      result: SignInResult & { proof: Proof };
      problem?: string;
      key?: string;
      /** The app passwords that are selected to stay. */
      kept?: number[];
    },
  ): Promise<void> {
    const { visitor, target, pending, result, problem = null } = step;
    await parts.appBehind(response, target.next);
    const form = { formToken: visitor.formToken, pending, next: target.next, username: target.username, problem };
    const status = problem === null && result.outcome !== 'code-wrong' ? 200 : 422;
    if (result.outcome === 'two-step-needed') {
      const key = step.key ?? twoStep.newKey();
      const qr = await qrCode(twoStep.address(key, target.username, parts.householdName()), t('twoStep.setUp.qrCode'));
      const card = setUpCard({ ...form, action: `${SIGN_IN}/two-step`, key, qr });
      return showCard(parts, request, response, { title: t('twoStep.setUp.heading'), card, size: 'wide', status });
    }
    if (result.outcome === 'password-change-needed') {
      const { accountId } = result.proof;
      const passwords = await parts.appPasswordsContext.appPasswords.list(accountId);
      const appPasswords = keptPasswordsFields({ passwords, kept: step.kept ?? [], now: parts.clock.now() });
      const card = newPasswordCard({ ...form, action: `${SIGN_IN}/password`, reset: null, appPasswords });
      return showCard(parts, request, response, { title: t('newPassword.heading'), card, status });
    }
    const note = result.outcome === 'code-wrong' ? t('signIn.code.wrong') : null;
    const card = codeCard({ ...form, problem: note, action: `${SIGN_IN}/code` });
    const below = html`${t('signIn.code.lost', { owner: await parts.ownerName() })}`;
    showCard(parts, request, response, { title: t('signIn.code.heading'), card, below, status });
  }

  const router = express.Router({ caseSensitive: true });

  router.get('/account/sign-in', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const next = ownAddress(new URLSearchParams(request.originalUrl.split('?')[1]).get('next') ?? '');
    if (visitor.session !== null) return response.redirect(303, next);
    await showSignIn(request, response, visitor, next);
  });

  router.post('/account/sign-in', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const fields = await formOf(request, response, visitor);
    const { username = '', password = '', otp = '' } = fields;
    const target = { username, kept: fields.keep === '1', next: ownAddress(fields.next ?? '') };
    await parts.appBehind(response, target.next);
    const result = await signIn.attempt(username, { password, otp, ...triedBy(request) });
    await goOn(request, response, visitor, { target, result });
  });

  /** A form of a later step. If it is too old, or was begun in another browser, sign-in starts again. */
  function step(
    path: string,
    take: (
      request: Request,
      response: Response,
      form: {
        visitor: Visitor;
        target: SignInTarget;
        pending: string;
        begun: PendingSignIn;
        fields: Record<string, string>;
      },
    ) => Promise<void>,
  ): void {
    router.get(path, (_request, response) => response.redirect(303, `${basePath}/account/`));
    router.post(path, async (request, response) => {
      const visitor = await visitorOf(sessions, request, response);
      const fields = await formOf(request, response, visitor);
      const next = ownAddress(fields.next ?? '');
      const pending = fields.pending ?? '';
      const begun = pendingSignIns.find(pending, visitor.formKey);
      if (begun === null) return showSignIn(request, response, visitor, next);
      await parts.appBehind(response, next);
      const target = { next, username: begun.username, kept: begun.kept };
      await take(request, response, { visitor, target, pending, begun, fields });
    });
  }

  step('/account/sign-in/code', async (request, response, { visitor, target, pending, begun, fields }) => {
    const result = await signIn.proceed(begun.proof, { otp: fields.otp ?? '', ...triedBy(request) });
    await goOn(request, response, visitor, { target, result, pending });
  });

  step('/account/sign-in/two-step', async (request, response, { visitor, target, pending, begun, fields }) => {
    const { from, device } = triedBy(request);
    const result = await signIn.proceed(begun.proof, { otp: '', from, device });
    if (result.outcome !== 'two-step-needed') return goOn(request, response, visitor, { target, result, pending });
    const { key = '', otp = '' } = fields;
    const { accountId: id, passwordHash } = begun.proof;
    const stillProved = sameCredentials({ id, passwordHash, twoStepKey: null });
    const codes = await twoStep.enable(begun.proof.accountId, key, otp, stillProved);
    if (codes === null) {
      const problem = t('twoStep.setUp.wrong');
      const kept = /^[A-Z2-7]{32}$/.test(key) ? { key } : {};
      return showStep(request, response, { visitor, target, pending, result, problem, ...kept });
    }
    const account = await accounts.byId(begun.proof.accountId);
    parts.events.emit('two-step.changed', { actor: actorOf(from, account), enabled: true });
    const shown = { ...begun, proof: { ...begun.proof, codeShown: true } };
    pendingSignIns.end(pending);
    const form = { action: `${SIGN_IN}/code`, formToken: visitor.formToken, next: target.next };
    const card = recoveryCodesCard({ ...form, pending: pendingSignIns.begin(shown), codes });
    showCard(parts, request, response, { title: t('twoStep.codes.heading'), card });
  });

  step('/account/sign-in/password', async (request, response, { visitor, target, pending, begun, fields }) => {
    const { from, device } = triedBy(request);
    const result = await signIn.proceed(begun.proof, { otp: '', from, device });
    if (result.outcome !== 'password-change-needed')
      return goOn(request, response, visitor, { target, result, pending });
    const account = await accounts.byId(begun.proof.accountId);
    if (account === null) return goOn(request, response, visitor, { target, result: { outcome: 'refused' }, pending });
    const { new_password: password = '', repeat = '' } = fields;
    const kept = keptPasswordsIn(fields);
    const again = (problem: string) => showStep(request, response, { visitor, target, pending, result, problem, kept });
    if (password !== repeat) return again(t('newPassword.differ'));
    try {
      const passwordHash = await parts.changePassword({ account, password, keep: { appPasswords: kept }, from });
      const proved = await signIn.proceed({ ...begun.proof, passwordHash }, { otp: '', from, device });
      await goOn(request, response, visitor, { target, result: proved, pending });
    } catch (error) {
      if (!(error instanceof AccountProblem)) throw error;
      await again(error.message);
    }
  });

  router.post('/account/sign-out', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const { next = '' } = await formOf(request, response, visitor);
    if (visitor.session !== null) {
      await sessions.end(visitor.session.id);
      const actor = actorOf(originOf(request), visitor.session.account);
      parts.events.emit('session.ended', { actor, sessions: 'this' });
    }
    endSession(response);
    // What this device keeps ends with it, as does what other apps have shared.
    if (ownDeviceOf(request) !== null) forgetOwnDevice(response);
    continueByWorker(response, basePath, ownAddress(next), true);
  });

  // For the service worker: see `DEVICE_CHANGED`.
  router.get(DEVICE_CHANGED, (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(303, ownAddress(String(queryOf(request).next ?? '')));
  });

  return { router, showSignIn };

  /** Forms continue only at pages of ours, whatever address they carry: no open redirect. */
  function ownAddress(wanted: string): string {
    const ours = ['/oauth2/authorize/?', '/account/', '/files/', '/wl/?'].map((page) => `${basePath}${page}`);
    const isOurs = ours.some((page) => wanted.startsWith(page));
    // Dots or a backslash, which browsers read as a slash, could hide another host.
    const isPlain = /^[\x21-\x7e]+$/.test(wanted) && !/\\|\/\.{1,2}(?:\/|$)|\/\//.test(wanted.split('?')[0] ?? '');
    return isOurs && isPlain ? wanted : `${basePath}/account/`;
  }
}

function statusOf(result: SignInResult | undefined): number {
  if (result === undefined) return 200;
  return result.outcome === 'wait' ? 429 : 422;
}
