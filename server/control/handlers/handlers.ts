import { type Accounts, OWNER_ID } from '../../accounts/accounts.ts';
import { mayOpenPanel } from '../../accounts/permissions/account-status.ts';
import type { Activity } from '../../activity/activity.ts';
import type { Backups } from '../../backup/backups.ts';
import type { OutsideAddress } from '../../http/connection/outside-address.ts';
import type { Traffic } from '../../http/connection/traffic.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import { FieldProblem } from '../../lib/errors/field-problem.ts';
import type { Events, Origin } from '../../lib/events.ts';
import { type Mailer, MailProblem } from '../../mail/mailer.ts';
import { testMail } from '../../mail/mails.ts';
import { t } from '../../messages/messages.ts';
import type { ClientRecord, Clients } from '../../oauth/clients/clients.ts';
import type { Settings, SettingsValues } from '../../settings/settings.ts';
import type { CacheFolder } from '../../storage/content/cache-folder.ts';
import type { Certificates } from '../../tls/certificates.ts';
import type { CheckedInput, Output } from '../contract/contract.ts';
import { ControlError, type Handlers } from '../dispatcher.ts';
import { sampleOf } from '../events.ts';
import { ownerActor } from '../owner-actor.ts';
import type { AboutHandlers } from './about.ts';
import type { AccountHandlers } from './accounts.ts';
import type { BackupHandlers } from './backups.ts';
import type { ImportHandlers } from './imports.ts';
import type { MetadataHandlers } from './metadata.ts';
import type { PeopleHandlers } from './people.ts';
import type { ReferenceHandlers } from './reference.ts';
import type { Setup } from './setup.ts';
import type { SharesAndLinksHandlers } from './shares-and-links.ts';
import { toControlError } from './to-control-error.ts';

interface HandlerParts {
  readonly accounts: Accounts;
  readonly events: Events;
  readonly activity: Activity;
  readonly clients: Clients;
  readonly settings: Settings;
  readonly mailer: Mailer;
  readonly outside: Pick<OutsideAddress, 'check'>;
  readonly backups: Pick<Backups, 'prepareDestination'>;
  readonly setup: Setup;
  /** @param base64 an image file @returns a small PNG @throws FieldProblem when it is not an image */
  readonly decodeLogo: (base64: string) => Promise<Buffer>;
  readonly status: () => Promise<Output<'status'>>;
  readonly doctor: (input: CheckedInput<'doctor'>) => Promise<Output<'doctor'>>;
  readonly traffic: Pick<Traffic, 'samples'>;
  readonly hashing: () => Promise<Output<'hashing.get'>>;
  /** Milliseconds since the epoch. */
  readonly openedAt: number;
  readonly certificates: Pick<Certificates, 'authority'>;
  readonly thumbnails: {
    readonly cache: Pick<CacheFolder, 'usage' | 'clear'>;
    readonly forgetFailures: () => Promise<void>;
  };
  readonly panelLink: () => Promise<Output<'panel.link'>>;
}

/** Methods handled in other files. */
type Elsewhere =
  | keyof PeopleHandlers
  | keyof AccountHandlers
  | keyof MetadataHandlers
  | keyof SharesAndLinksHandlers
  | keyof BackupHandlers
  | keyof ImportHandlers
  | keyof ReferenceHandlers
  | keyof AboutHandlers;

export function controlHandlers(parts: HandlerParts): Omit<Handlers, Elsewhere> {
  const {
    accounts,
    activity,
    events,
    clients,
    settings,
    mailer,
    setup,
    decodeLogo,
    status,
    doctor,
    panelLink,
    thumbnails,
    backups,
  } = parts;
  /** Remote access requires two-step sign-in, so without it nobody could open the panel, for no visible reason. */
  async function needTwoStep(): Promise<void> {
    const owner = await accounts.byId(OWNER_ID);
    if (owner !== null && mayOpenPanel(owner)) return;
    throw new FieldProblem('remotePanel', t('api.control.ownTwoStep'));
  }

  const owner = (origin: Origin) => ownerActor(accounts, origin);

  return {
    status,
    doctor: async (input, origin) => {
      const report = await doctor(input);
      if (report.repaired !== undefined) {
        const { repaired, problems } = report;
        events.emit('doctor.repaired', {
          actor: await owner(origin),
          repaired: repaired.length,
          problems: problems.length,
        });
      }
      return report;
    },
    'panel.link': panelLink,
    'hashing.get': parts.hashing,
    'traffic.get': async () => ({
      since: isoSeconds(parts.openedAt),
      samples: parts.traffic.samples().map(sampleOf),
    }),
    'certificate.get': async () => ({
      pem: parts.certificates.authority.pem,
      fingerprint: parts.certificates.authority.fingerprint,
    }),
    'thumbnails.get': () => thumbnails.cache.usage(),
    'thumbnails.clear': async () => {
      await thumbnails.forgetFailures();
      return { bytes: await thumbnails.cache.clear() };
    },
    setup: (input) => toControlError(() => setup.setUp(input)),
    'setup.check': (input) => setup.check(input),
    'settings.get': async () => settingsView(settings.values),
    'settings.update': ({ homePlaces, backupPlace, ...changes }, origin) =>
      toControlError(async () => {
        const all = { homeLocations: homePlaces, backupFolder: backupPlace, ...changes };
        const given = Object.entries(all).filter(([, value]) => value !== undefined);
        const requested: Partial<SettingsValues> = Object.fromEntries(given);
        // An owner who sets it anywhere has chosen.
        if (requested.backupFiles !== undefined && !settings.values.backupChosen) requested.backupChosen ??= true;
        settings.check(requested);
        if (requested.remotePanel) await needTwoStep();
        if (requested.backupFolder !== undefined) await backups.prepareDestination(requested.backupFolder);
        await settings.update(requested, await owner(origin));
        return settingsView(settings.values);
      }),
    'outside.check': ({ address }, origin) =>
      toControlError(async () => {
        settings.check({ baseUrl: address });
        if (address === '') throw new FieldProblem('address', t('api.settings.baseUrl'));
        const found = await parts.outside.check(address);
        // Checked before it is saved, it is not the household's address yet.
        const isSaved = address === settings.values.baseUrl;
        if (found.verdict === 'reached' && isSaved && !settings.values.baseUrlConfirmed) {
          await settings.update({ baseUrlConfirmed: true }, await owner(origin));
        }
        return { reason: '', ...found };
      }),
    'mail.test': async ({ to }) => {
      try {
        await mailer.sendNow(testMail({ to, household: settings.values.householdName }));
      } catch (error) {
        if (!(error instanceof MailProblem)) throw error;
        throw new ControlError('refused', error.message);
      }
      return { to };
    },
    'clients.list': async () => ({
      clients: (await clients.list()).map((client) => ({
        ...clientView(client),
        people: client.people,
        lastUsedAt: client.lastUsedAt === null ? null : isoSeconds(client.lastUsedAt),
      })),
    }),
    'clients.add': (input, origin) =>
      toControlError(async () => {
        const { name, redirectUris, public: isPublic, publisher = '', website = '' } = input;
        const logo = input.logo ? await decodeLogo(input.logo) : null;
        const details = { name, redirectUris, isPublic, publisher, website, logo };
        const { client, secret } = await clients.add(details, await owner(origin));
        const { clientId, ...view } = clientView(client);
        return { clientId, clientSecret: secret, ...view };
      }),
    'clients.update': ({ clientId, logo, ...changes }, origin) =>
      toControlError(async () => {
        const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
        const picture = logo === undefined ? {} : { logo: logo === null ? null : await decodeLogo(logo) };
        const client = await clients.update(clientId, { ...given, ...picture }, await owner(origin));
        if (client === null) throw new ControlError('refused', t('api.clients.notFound'), 'clientId');
        return clientView(client);
      }),
    'clients.replaceSecret': async ({ clientId }, origin) => {
      const clientSecret = await clients.replaceSecret(clientId, await owner(origin));
      if (clientSecret === null) {
        throw new ControlError('refused', t('api.clients.notFoundOrPublic'), 'clientId');
      }
      return { clientId, clientSecret };
    },
    'clients.remove': async ({ clientId }, origin) => {
      if ((await clients.remove(clientId, await owner(origin))) === null)
        throw new ControlError('refused', t('api.clients.notFound'), 'clientId');
      return { clientId };
    },
    'activity.list': async ({ since, until, ...query }) => {
      const page = await activity.list({ ...query, since: timeOf(since), until: timeOf(until) });
      return { ...page, entries: page.entries.map((entry) => ({ ...entry, at: isoSeconds(entry.at) })) };
    },
  };
}

/** Without write-only settings. */
function settingsView({ smtpPassword, backupSealing, ...values }: SettingsValues) {
  return { ...values, smtpPasswordSet: smtpPassword !== '', backupPassphraseSet: backupSealing !== null };
}

function clientView(client: ClientRecord) {
  return {
    clientId: client.clientId,
    name: client.name,
    public: client.secretHash === null,
    redirectUris: client.redirectUris,
    publisher: client.publisher,
    website: client.website,
    hasLogo: client.logo !== null,
    createdAt: isoSeconds(client.createdAt),
    enabled: client.disabledAt === null,
  };
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text);
}
