import { createGuestLinks } from '../accounts/sign-in/guest-links.ts';
import { createConfirmations } from '../backup/confirm/confirmations.ts';
import type { Home } from '../catalogue/homes.ts';
import { lockedIn } from '../files/locks/locks.ts';
import { listTrash } from '../files/trash/trash-rows.ts';
import { createHourlyLimit } from '../lib/concurrency/hourly-limit.ts';
import { LARDER } from '../lib/events.ts';
import { createAlbumShares } from '../shares/album-shares.ts';
import type { SharingContext } from '../sharing/context.ts';
import { removeUnusedGuests } from '../sharing/guests.ts';
import type { Base } from './base.ts';
import type { Files } from './files.ts';
import type { Identity } from './identity.ts';
import { composePeople } from './people.ts';
import type { Storage } from './storage.ts';
import { composeWeblinks } from './weblinks.ts';

/** Most mails that one person can cause by sharing: enough for a large family, too few to annoy others. */
const MAILS_AN_HOUR = 200;

export type Sharing = Awaited<ReturnType<typeof openSharing>>;

/** People and groups, what they share with each other, public web links, and the lists that show all of it. */
export async function openSharing(base: Base, storage: Storage, identity: Identity, files: Files) {
  const { clock, closers } = base;
  const { database, settings } = storage;
  const { accounts, sessions, tokens, mails, mailer } = identity;
  const { context, uploads, shares, comments, metadata } = files;
  const people = composePeople({ ...base, ...storage, ...identity, files: context });
  const guestLinks = createGuestLinks(database, clock, () => settings.values.guestLinkDays);
  const sharing: SharingContext = {
    ...context,
    accounts,
    groups: people.groups,
    shares,
    sessions,
    tokens,
    mails,
    mailer,
    accountsDatabase: database,
    guestLinks,
    mailLimit: createHourlyLimit(clock, MAILS_AN_HOUR),
  };
  const weblinks = await composeWeblinks({ files: uploads, accounts, mails });
  closers.add('link notices', () => weblinks.context.notices.close());
  closers.add('link counts', () => weblinks.context.counts.close());
  return {
    people,
    context: sharing,
    albumShares: createAlbumShares(database.files, clock),
    weblinks,
    listing: {
      ...context,
      stars: files.stars,
      thumbnails: files.thumbnailParts.thumbnails,
      links: weblinks.context.links,
      trash: (home: Home) => listTrash(context, home),
      locked: (home: Home) => lockedIn(context, home),
      commentCounts: ({ id }: Home) => comments.countsIn(id),
      labels: metadata.labels,
      definitions: metadata.context.definitions,
      confirmations: createConfirmations({ ...base, ...storage }),
    },
    /** Runs once an hour. */
    removeUnusedGuests: () => removeUnusedGuests(sharing, settings.values.guestsKeptDays, LARDER),
    /** Begins to send notices of links. */
    start: () => weblinks.context.notices.start(),
  };
}
