import express, { type Router } from 'express';
import { z } from 'zod';
import { type AccountRecord, displayName } from '../../accounts/account-record.ts';
import type { OwnEntry, OwnGroup } from '../../activity/own.ts';
import type { FilesContext, ItemsContext } from '../../files/context.ts';
import { accountSeenBy } from '../../files/locks/lock-holder.ts';
import { checkParameters } from '../../http/request/check-parameters.ts';
import { integer, text } from '../../http/request/parameters.ts';
import { arePhotos, type EntryGroup, groupEntries, isGroup } from '../../lib/activity-groups.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import { avatarColour } from '../../lib/text/avatar-colour.ts';
import { bidiIsolate } from '../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { catalogue } from '../../messages/catalogue.ts';
import { type MessageKey, t, tHtml } from '../../messages/messages.ts';
import { avatar, initialOf } from '../shell/avatar.ts';
import { icon } from '../shell/icons.ts';
import { forSignedIn, queryOf, type ShowSignIn } from '../shell/page-context.ts';
import { clockTime, dayOf } from '../shell/relative-time.ts';
import { type AccountPagesParts, showAccountPage } from './context.ts';

/** Entries of a page. */
const PAGE = 100;

const GROUPS = ['files', 'sharing', 'security'] as const satisfies readonly OwnGroup[];

const shownPage = z.object({
  before: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional(),
  group: text().default(''),
});

type Line = OwnEntry | EntryGroup<OwnEntry>;

/** What happened with the account and the files of a person, as far as the log reaches back. */
export function activityPages(parts: AccountPagesParts, showSignIn: ShowSignIn): Router {
  const base = `${parts.basePath}/account/activity`;
  const router = express.Router({ caseSensitive: true });

  router.get(
    '/account/activity',
    forSignedIn(parts, showSignIn, async (request, response, visitor) => {
      const { before = null, group: requested } = checkParameters(shownPage, queryOf(request));
      const group = GROUPS.find((one) => one === requested) ?? null;
      const { account } = visitor.session;
      const { entries: found, next } = await parts.activity.listOwn(account, { before, limit: PAGE, group });
      const entries = await withNamesOfShares(parts.files, account, found);
      const people = { basePath: parts.basePath, reader: account, seen: await peopleIn(parts.files, account, entries) };
      const address = (to: OwnGroup | null, from: number | null) => {
        const values = { ...(to === null ? {} : { group: to }), ...(from === null ? {} : { before: String(from) }) };
        const search = new URLSearchParams(values).toString();
        return search === '' ? base : `${base}?${search}`;
      };
      const tab = (to: OwnGroup | null) =>
        html`<a href="${address(to, null)}"${to === group ? html` aria-current="page"` : html``}>${t(`account.activity.${to ?? 'all'}`)}</a>`;
      const title = t('account.activity.heading');
      const inner = html`<h1>${title}</h1><p class="lead">${t('account.activity.lead')}</p>
<nav class="filters" aria-label="${t('account.activity.filters')}">${[null, ...GROUPS].map(tab)}</nav>
${entries.length === 0 ? html`<p class="none">${t('account.activity.none')}</p>` : days(entries, parts.clock.now(), people)}
${next === null ? html`` : html`<p class="older"><a class="button" href="${address(group, next)}">${t('account.activity.older')}</a></p>`}`;
      showAccountPage(parts, response, visitor, { title, at: 'activity', inner });
    }),
  );
  return router;
}

/** A path in a share: others see the person's item below a number. */
const IN_SHARE = /^\/ROOT\/\d+\/(?<share>\d+)(?<rest>\/.*)?$/s;

/** Entries with the names of shared items, as far as they are still shared. */
async function withNamesOfShares(
  { database, access }: ItemsContext,
  account: AccountRecord,
  entries: readonly OwnEntry[],
): Promise<OwnEntry[]> {
  const ids = new Set(entries.flatMap(({ subject }) => IN_SHARE.exec(subject)?.groups?.share ?? []).map(Number));
  if (ids.size === 0) return [...entries];
  const [own, received] = await Promise.all([
    // Also what those it is shared with share further.
    database.all<{ id: number; name: string }>(
      `SELECT shares.id, items.name FROM shares JOIN items ON items.id = shares.item_id
       WHERE items.home_id = ? AND shares.id IN (SELECT value FROM json_each(?))`,
      [account.homeId, JSON.stringify([...ids])],
    ),
    access.shared.grantsOf(account),
  ]);
  const names = new Map(own.map(({ id, name }) => [id, name]));
  for (const { id, alias, location } of received)
    names.set(id, alias === '' ? (location.segments.at(-1) ?? '') : alias);
  return entries.map((entry) => {
    const { share, rest = '' } = IN_SHARE.exec(entry.subject)?.groups ?? {};
    if (share === undefined) return entry;
    return { ...entry, subject: `/${names.get(Number(share)) ?? t('account.activity.endedShare')}${rest}` };
  });
}

/** Who is shown with the present name and picture; of others, the log has only the user name. */
interface People {
  readonly basePath: string;
  readonly reader: AccountRecord;
  /** By their numbers. */
  readonly seen: ReadonlyMap<number, AccountRecord>;
}

async function peopleIn(
  files: FilesContext,
  reader: AccountRecord,
  entries: readonly OwnEntry[],
): Promise<ReadonlyMap<number, AccountRecord>> {
  const seen = new Map<number, AccountRecord>();
  for (const id of new Set(entries.flatMap(({ accountId }) => accountId ?? []))) {
    const person = await accountSeenBy(files, reader, id);
    if (person !== null) seen.set(id, person);
  }
  return seen;
}

const personOf = ({ accountId }: OwnEntry, { seen }: People) => (accountId === null ? undefined : seen.get(accountId));

/** The name beside the face, and the user name for pointers. */
function whoOf(entry: OwnEntry, people: People): Html {
  const person = personOf(entry, people);
  const username = bidiIsolate(entry.username ?? '');
  if (person === undefined) return html`<strong>${username}</strong>`;
  return html`<strong title="${username}">${bidiIsolate(displayName(person))}</strong>`;
}

function faceOf(entry: OwnEntry, people: People): Html {
  const { username, accountId } = entry;
  if (username === null) return html`<span class="avatar small plain" aria-hidden="true">${icon('link')}</span>`;
  const person = personOf(entry, people);
  if (person !== undefined) {
    const { basePath, reader } = people;
    return avatar({ account: person, basePath, size: 'small', isOther: person.id !== reader.id });
  }
  return html`<span class="avatar small ${avatarColour(accountId ?? username)}" aria-hidden="true">${initialOf(username)}</span>`;
}

function days(entries: readonly OwnEntry[], now: number, people: People): Html {
  const byDay = new Map<string, Line[]>();
  for (const line of groupEntries(entries)) {
    const day = dayOf(newestOf(line).at, now);
    byDay.set(day, [...(byDay.get(day) ?? []), line]);
  }
  return html`${[...byDay].map(([day, lines]) => html`<section class="day"><h2>${day}</h2><ul class="activity">${lines.map((line) => lineOf(line, people))}</ul></section>`)}`;
}

const newestOf = (line: Line): OwnEntry => (isGroup(line) ? line.entries[0] : line);

function lineOf(line: Line, people: People): Html {
  const newest = newestOf(line);
  const words = isGroup(line)
    ? html`<details><summary><span>${groupSentence(line, people)}</span>${icon('chevron')}</summary><ul>${line.entries.map((entry) => html`<li>${timeOf(entry.at)} ${bidiIsolate(shown(entry))}</li>`)}</ul></details>`
    : html`<p>${sentence(line, people)}</p>`;
  return html`<li>${faceOf(newest, people)}<div>${words}</div>${timeOf(newest.at)}</li>`;
}

function timeOf(at: number): Html {
  return html`<time datetime="${isoSeconds(at)}">${clockTime(at)}</time>`;
}

type Kind<Key> = Key extends `activity.entry.${infer Name}` ? Exclude<Name, 'unknown'> : never;

/** @returns null for a kind that has no sentence, as a later version may have written it */
function knownKind(kind: string): Kind<MessageKey> | null {
  return Object.hasOwn(catalogue, `activity.entry.${kind}`) ? (kind as Kind<MessageKey>) : null;
}

function sentence(entry: OwnEntry, people: People): Html {
  const { kind, username, items, attempts, to, hasLeft, client, subject, address, channel } = entry;
  const values = {
    actor: username === null ? 'none' : 'person',
    who: whoOf(entry, people),
    what: html`<strong title="${bidiIsolate(subject)}">${bidiIsolate(shown(entry))}</strong>`,
    ...{ attempts, items, further: items - 1, hasTo: hasLeft ? 'left' : to === null ? 'no' : 'yes', to: to ?? '' },
  };
  const known = knownKind(kind);
  return tHtml('activity.withOrigin', {
    sentence:
      known === null ? tHtml('activity.entry.unknown', { ...values, kind }) : tHtml(`activity.entry.${known}`, values),
    channel,
    hasApp: client !== null && client !== subject ? 'yes' : 'no',
    app: client ?? '',
    hasAddress: kind.startsWith('login.') && address !== null ? 'yes' : 'no',
    address: address ?? '',
  });
}

function groupSentence(group: EntryGroup<OwnEntry>, people: People): Html {
  const { kind, entries, folder } = group;
  const [newest] = entries;
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  const place = newest.isElsewhere
    ? t('account.activity.elsewhere')
    : folder === HOME || name === ''
      ? t('activity.group.home')
      : bidiIsolate(name);
  return tHtml(`activity.group.${kind}`, {
    who: whoOf(newest, people),
    what: html`<strong>${t('activity.group.what', { count: entries.length, kind: arePhotos(group) ? 'photos' : 'items' })}</strong>`,
    folder: html`<strong title="${bidiIsolate(folder)}">${place}</strong>`,
  });
}

const HOME = '/ROOT/HOME';

/** A path without what all have in common. */
function shown({ subject }: OwnEntry): string {
  return subject.replace(/^\/(?:ROOT\/HOME\/)?(?=.)/, '');
}
