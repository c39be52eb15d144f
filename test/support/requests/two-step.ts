import { expect } from 'vitest';
import { WebVisitor } from '../browser/web-visitor.ts';
import { type Household, OWNER } from '../households/household.ts';
import { totp } from './totp.ts';

export const HALF_A_MINUTE = 30_000;

/**
 * Enables two-step sign-in on the account page. The clock advances to the next code.
 * @returns the key and the recovery codes
 */
export async function switchOnTwoStep(
  household: Household,
  { username, password } = OWNER,
): Promise<{ key: string; codes: string[] }> {
  const visitor = new WebVisitor(household);
  const page = await visitor.get('/account/');
  const signIn = { form_token: page.field('form_token'), next: page.field('next'), username, password };
  await visitor.post('/account/sign-in', signIn);
  const form = await visitor.get('/account/two-step');
  const key = form.field('key');
  const fields = { form_token: form.field('form_token'), key, otp: totp(key, household.clock.now()) };
  const reply = await visitor.post('/account/two-step/enable', { ...fields, password });
  const codes = [...reply.text.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code ?? '');
  expect(codes).toHaveLength(10);
  household.clock.advance(HALF_A_MINUTE);
  return { key, codes };
}
