import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type PageReply, WebVisitor } from '../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../support/households/household.ts';

export const CALLBACK = 'https://app.example/callback';

export let household: Household;
/** A browser that nobody has used before, for every test. */
export let visitor: WebVisitor;

/** The steps of people and apps on the way through the flow, in one household for the tests of a file. */
export function inOneHousehold(): void {
  beforeAll(async () => {
    household = await openHousehold();
    newVisitor();
  });
  afterAll(() => household.close());
  afterEach(newVisitor);
}

export function newVisitor(): void {
  visitor = new WebVisitor(household);
}

export function asked(changes: Record<string, string | null> = {}): string {
  const query = new URLSearchParams();
  const values = {
    response_type: 'code',
    client_id: household.clientId,
    redirect_uri: CALLBACK,
    scope: 'profile list',
    state: 'af0ifjsldkj',
    ...changes,
  };
  for (const [name, value] of Object.entries(values)) if (value !== null) query.set(name, value);
  return `/oauth2/authorize/?${query}`;
}

export async function signIn(reply: PageReply, changes: Record<string, string> = {}): Promise<PageReply> {
  return visitor.post('/account/sign-in', {
    form_token: reply.field('form_token'),
    next: reply.field('next'),
    ...OWNER,
    ...changes,
  });
}

/** Through sign-in to the page that asks. */
export async function toConsent(request: string): Promise<PageReply> {
  const first = await visitor.get(request);
  const signedIn = await signIn(first);
  expect(signedIn.status).toBe(303);
  return visitor.get(signedIn.location ?? '');
}

export const answer = (page: PageReply, value: string) =>
  visitor.post('/oauth2/authorize/', {
    form_token: page.field('form_token'),
    request: page.field('request'),
    answer: value,
  });
