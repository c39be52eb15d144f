import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WebVisitor } from '../browser/web-visitor.ts';
import { ALL_SCOPES, type Household, type HouseholdOptions, openHousehold } from '../households/household.ts';
import { addMembersWithHomes, homeOf, signInAs } from '../households/member.ts';
import type { ApiClient, Reply } from './api-client.ts';

/** Olga shares; Ben is a direct recipient, Gil is one through a group, Gran is a guest; Sam is not involved. */
export const PEOPLE = ['olga', 'ben', 'gil', 'sam'] as const;
export type Person = (typeof PEOPLE)[number] | 'gran';

export interface SharingHousehold extends Household {
  readonly ids: Readonly<Record<(typeof PEOPLE)[number], number>>;
  /** The id of Gil's group. */
  readonly family: number;
  as(person: (typeof PEOPLE)[number]): ApiClient;
  /** Signs in again a person whose tokens have ended. */
  signInAgain(person: (typeof PEOPLE)[number]): Promise<void>;
  /** Olga shares with a person. @returns the id of the share */
  share(path: string, form: Record<string, string | number>): Promise<number>;
  /** Puts files into Olga's home like another program; a name that ends in a slash is a folder. */
  put(...names: string[]): Promise<void>;
  at(name: string): string;
  /** A new folder of Olga's, with `a.txt` and `sub/b.txt`. @returns its name */
  newBox(): Promise<string>;
}

/** A household of several people, each signed in; the group is called Family. */
export async function openSharingHousehold(options: HouseholdOptions = {}): Promise<SharingHousehold> {
  const household = await openHousehold(options);
  await addMembersWithHomes(household, Object.fromEntries(PEOPLE.map((name) => [name, {}])));
  const apis = new Map<string, ApiClient>();
  const ids: Record<string, number> = {};
  for (const name of PEOPLE) {
    const api = await signInAs(household, name);
    apis.set(name, api);
    ids[name] = Number((await api.get('account/info')).body.id);
  }
  const { id: family } = (await household.control('groups.add', { name: 'Family' })) as { id: number };
  await household.control('groups.setMembers', { id: family, accountIds: [ids.gil] });
  const as = (person: string) => apis.get(person) as ApiClient;
  const at = (name: string) => join(homeOf(household, 'olga'), name);
  let boxes = 0;
  const put = async (...names: string[]) => {
    for (const name of names) {
      await mkdir(name.endsWith('/') ? at(name) : dirname(at(name)), { recursive: true });
      if (!name.endsWith('/')) await writeFile(at(name), `content of ${name}`);
    }
  };
  return Object.assign(Object.create(household) as Household, {
    ids: ids as SharingHousehold['ids'],
    family,
    as,
    at,
    async signInAgain(person: string) {
      apis.set(person, await signInAs(household, person));
    },
    async share(path: string, form: Record<string, string | number>) {
      const { status, body, text } = await as('olga').post('files/share', { path, ...form });
      if (status !== 200) throw new Error(`not shared: ${text}`);
      return Number(body.data.shareid);
    },
    async newBox() {
      boxes += 1;
      await put(`box${boxes}/a.txt`, `box${boxes}/sub/b.txt`);
      return `box${boxes}`;
    },
    put,
  });
}

/** Uses the private link of a guest to get a token for an app. */
export async function signInAsGuest(household: Household, link: string): Promise<ApiClient> {
  const visitor = new WebVisitor(household);
  const page = await visitor.get(new URL(link).pathname + new URL(link).search);
  const entered = await visitor.post('/guest/', { form_token: page.field('form_token'), id: page.field('id') });
  if (entered.status !== 303) throw new Error(`the link does not open: ${entered.status}`);
  const redirect = 'https://app.example/callback';
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: household.clientId,
    redirect_uri: redirect,
    scope: ALL_SCOPES.replace(' admin', ''),
    state: 'x',
  });
  const consent = await visitor.get(`/oauth2/authorize/?${query}`);
  const allowed = await visitor.post('/oauth2/authorize/', {
    form_token: consent.field('form_token'),
    request: consent.field('request'),
    answer: 'allow',
  });
  const code = new URL(allowed.location ?? '').searchParams.get('code') ?? '';
  const reply = await household.api.token({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    client_id: household.clientId,
    client_secret: household.clientSecret,
  });
  if (reply.status !== 200) throw new Error(`no token for the guest: ${reply.text}`);
  return household.api.with(String(reply.body.access_token));
}

export function outcome({ status, body }: Reply): [number, string | undefined] {
  return [status, body.code];
}

/** Names and paths of a listing. */
export function listed({ body }: Reply): [string, string][] {
  return body.data.files.map(({ filename, path }: { filename: string; path: string }) => [filename, path]);
}
