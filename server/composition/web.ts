import { type Accounts, OWNER_ID } from '../accounts/accounts.ts';
import type { PasswordResets } from '../accounts/passwords/password-resets.ts';
import { mayOpenPanel, mayOpenPanelHere } from '../accounts/permissions/account-status.ts';
import type { AccountPictures } from '../accounts/pictures.ts';
import type { Devices } from '../accounts/sign-in/devices.ts';
import type { GuestLinks } from '../accounts/sign-in/guest-links.ts';
import { createPendingSignIns } from '../accounts/sign-in/pending-sign-ins.ts';
import type { Sessions } from '../accounts/sign-in/sessions.ts';
import type { SignIn } from '../accounts/sign-in/sign-in.ts';
import type { TwoStep } from '../accounts/sign-in/two-step.ts';
import { createPhotoTimelines } from '../catalogue/photos.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import type { ActiveResponses } from '../http/connection/active-responses.ts';
import { isFromThisComputer } from '../http/connection/client-address.ts';
import type { FailedHandshakes } from '../http/connection/failed-handshakes.ts';
import type { OutsideAddress } from '../http/connection/outside-address.ts';
import type { Clock } from '../lib/clock.ts';
import { createHourlyLimit } from '../lib/concurrency/hourly-limit.ts';
import type { Events } from '../lib/events.ts';
import type { Log } from '../lib/log/log.ts';
import { storageUseOf } from '../listing/storage-use.ts';
import type { Mailer } from '../mail/mailer.ts';
import { passwordResetMail } from '../mail/mails.ts';
import type { AuthorizationCodes } from '../oauth/authorization-codes.ts';
import type { Clients } from '../oauth/clients.ts';
import { createConnectedApps } from '../oauth/connected-apps.ts';
import type { Tokens } from '../oauth/tokens.ts';
import type { AppPasswordsContext } from '../people/app-passwords.ts';
import type { ChangePassword } from '../people/change-password.ts';
import type { LoginFlows } from '../people/login-flows.ts';
import type { Settings } from '../settings/settings.ts';
import type { Certificates } from '../tls/certificates.ts';
import type { FilesPagesParts } from '../web/files/context.ts';
import { createLooks } from '../web/files/listing/looks.ts';
import { createPages, type Pages } from '../web/routes.ts';
import { createContentTickets } from '../web/shell/content-tickets.ts';
import { linkPlaceOf } from '../web/shell/link-place.ts';
import type { WeblinksContext } from '../weblinks/context.ts';

export interface PagesParts {
  readonly config: Pick<Config, 'basePath'>;
  readonly database: Database;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly devices: Devices;
  readonly signIn: SignIn;
  readonly passwordResets: PasswordResets;
  readonly twoStep: TwoStep;
  readonly changePassword: ChangePassword;
  readonly appPasswordsContext: AppPasswordsContext;
  readonly clients: Clients;
  readonly tokens: Tokens;
  readonly codes: AuthorizationCodes;
  readonly pictures: AccountPictures;
  readonly certificates: Certificates;
  readonly settings: Settings;
  readonly mailer: Mailer;
  readonly events: Events;
  readonly log: Log;
  readonly clock: Clock;
  readonly files: FilesPagesParts['files'];
  readonly listing: FilesPagesParts['listing'];
  readonly thumbnails: FilesPagesParts['thumbnails'];
  readonly stars: FilesPagesParts['stars'];
  readonly commentsContext: FilesPagesParts['commentsContext'];
  readonly metadataContext: FilesPagesParts['metadataContext'];
  readonly activeResponses: ActiveResponses;
  readonly sharing: FilesPagesParts['sharing'];
  readonly weblinks: WeblinksContext;
  readonly guestLinks: GuestLinks;
  readonly loginFlows: LoginFlows;
  readonly failedHandshakes: FailedHandshakes;
  readonly outside: OutsideAddress;
  /** The reachable addresses of this server. */
  readonly addresses: () => readonly string[];
  /** Those of this machine's networks. */
  readonly lanAddresses: () => readonly string[];
}

/** Most comments from one address at one link: enough for a conversation, too few to fill the disk. */
const COMMENTS_AN_HOUR = 40;

/** Most new browser cookies for one address at web links: enough for many people behind one connection. */
const BROWSERS_AN_HOUR = 500;

/** Composes the pages of the household, and those of the owner on this machine. */
export function composePages(parts: PagesParts): Pages {
  const { config, database, accounts, clock, tokens, settings, certificates, mailer, outside } = parts;
  return createPages({
    basePath: config.basePath,
    householdName: () => settings.values.householdName,
    keepsPages: () => settings.values.serviceWorker,
    trust: {
      certificates,
      failedHandshakes: parts.failedHandshakes,
      outside: parts.outside,
      allowsApps: () => parts.loginFlows.isEnabled(),
      addresses: parts.addresses,
      lanAddresses: parts.lanAddresses,
    },
    flow: {
      ...parts,
      pendingSignIns: createPendingSignIns(clock),
      looks: createLooks(database, clock),
      photoTimeline: createPhotoTimelines(database),
      contentTickets: createContentTickets(clock),
      commentLimit: createHourlyLimit(clock, COMMENTS_AN_HOUR),
      browserLimit: createHourlyLimit(clock, BROWSERS_AN_HOUR),
      connectedApps: createConnectedApps(database, clock, tokens),
      isApiEnabled: () => settings.values.apiEnabled,
      keepsPages: () => settings.values.serviceWorker,
      allowsPrograms: () => settings.values.apiEnabled && settings.values.webdav,
      trashDays: () => settings.values.trashDays,
      ownerName: async () => (await accounts.byId(OWNER_ID))?.name ?? '',
      storageUse: (homeId) => storageUseOf(database, homeId),
      linkPlace: (request) => linkPlaceOf(request, { outside, certificates, basePath: config.basePath }),
      panelFor: (request, account) => {
        const isHere = isFromThisComputer(request) && mayOpenPanelHere(account);
        const isAllowed = isHere || (settings.values.remotePanel && mayOpenPanel(account));
        return isAllowed ? `${config.basePath}/panel/` : null;
      },
      canReset: () => mailer.isSetUp() && settings.values.baseUrl !== '',
      mailReset: (account, path) => {
        const { householdName: household, baseUrl } = settings.values;
        const url = `${baseUrl.replace(/\/$/, '')}${path}`;
        mailer.send(passwordResetMail({ to: account.email, name: account.name, household, url }));
      },
    },
  });
}
