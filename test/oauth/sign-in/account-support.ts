import { afterEach, beforeEach } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { type PageReply, WebVisitor } from '../../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { HALF_A_MINUTE, switchOnTwoStep } from '../../support/requests/two-step.ts';

export let household: Household;
export let visitor: WebVisitor;

/** A household of its own for every test of a file, and a browser that nobody has used before. */
export function inNewHouseholds(): void {
  beforeEach(async () => {
    household = await openHousehold();
    visitor = new WebVisitor(household);
  });
  afterEach(() => household.close());
}

export { HALF_A_MINUTE };

export async function signIn(changes: Record<string, string> = {}, there = visitor): Promise<PageReply> {
  const page = await there.get('/account/');
  const fields = { form_token: page.field('form_token'), next: page.field('next') };
  return there.post('/account/sign-in', { ...fields, ...OWNER, ...changes });
}

/** A form of the account page, sent with the fields that are hidden in it. */
export async function send(page: string, to: string, fields: Record<string, string>): Promise<PageReply> {
  const form = await visitor.get(page);
  return visitor.post(to, { form_token: form.field('form_token'), key: form.field('key'), ...fields });
}

export const isSignedIn = async (there = visitor) =>
  (await there.get('/account/')).text.includes(t('account.editProfile'));

/** Two-step sign-in for the owner. @returns the key and the recovery codes */
export async function switchOn(): Promise<{ key: string; codes: string[] }> {
  const switched = await switchOnTwoStep(household);
  visitor = new WebVisitor(household);
  return switched;
}
