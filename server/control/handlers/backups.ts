import { isAbsolute } from 'node:path';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Backups } from '../../backup/backups.ts';
import { bytesOf } from '../../backup/format/list-backups.ts';
import type { Manifest } from '../../backup/format/manifest.ts';
import { BackupProblem } from '../../backup/format/problem.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import type { Origin } from '../../lib/events.ts';
import { t } from '../../messages/messages.ts';
import type { Settings } from '../../settings/settings.ts';
import type { backupMethods } from '../contract/backups.ts';
import type { Output } from '../contract/contract.ts';
import { ControlError, type Handlers } from '../dispatcher.ts';
import { backupProgressOf } from '../events.ts';
import { ownerActor } from '../owner-actor.ts';
import { toControlError } from './to-control-error.ts';

export type BackupHandlers = Pick<Handlers, keyof typeof backupMethods>;

export function backupHandlers({
  backups,
  accounts,
  settings,
}: {
  backups: Backups;
  accounts: Accounts;
  settings: Settings;
}): BackupHandlers {
  const owner = (origin: Origin) => ownerActor(accounts, origin);
  const passphraseSet = () => settings.values.backupSealing !== null;

  return {
    'backup.make': (requested, origin) =>
      refusing(async () => {
        const { manifest, name, folder, isOnSameDisk, removed, heldBack, notCopied, ...made } = await backups.make(
          requested,
          await owner(origin),
        );
        const notes = [...(isOnSameDisk ? [t('api.warnings.sameDisk')] : []), ...made.notes];
        return {
          ...viewOf(name, folder, manifest),
          notCopied: [...notCopied],
          notes,
          removed: [...removed],
          heldBack: [...heldBack],
        };
      }),
    'backup.cancel': async () => ({ cancelled: backups.cancel() }),
    'backup.state': async () => {
      const due = await backups.due();
      const failure = backups.failure();
      const placeThere = await backups.isDestinationPresent();
      const latest = await backups.latest();
      return {
        place: backups.destination(),
        placeThere,
        sameDisk: placeThere && (await backups.isOnSameDisk()),
        progress: backupProgressOf(backups.progress()),
        due: due === null ? null : isoSeconds(due),
        passphraseSet: passphraseSet(),
        chosen: settings.values.backupChosen,
        contents: {
          files: settings.values.backupFiles,
          history: settings.values.backupFiles && settings.values.backupHistory,
        },
        newest: latest === null ? null : { at: latest.madeAt, files: latest.files !== null },
        attention: backups.attention(),
        failure: failure === null ? null : { at: isoSeconds(failure.at), message: failure.message },
        heldBack: [...backups.heldBack()],
      };
    },
    'backup.estimate': async ({ place }) => {
      const at = place === undefined || place === '' ? backups.destination() : place;
      const freeBytes = isAbsolute(at) ? await backups.freeAt(at) : null;
      return { place: at, bytes: { ...(await backups.size()) }, freeBytes };
    },
    'backup.list': () =>
      refusing(async () => {
        const found = await backups.list();
        return { place: backups.destination(), backups: found.map(viewOfListed) };
      }),
    'backup.verify': ({ name, passphrase }) =>
      refusing(async () => {
        const problems = await backups.verify(name, passphrase);
        return { name, ok: problems.length === 0, problems };
      }),
    'backup.remove': ({ name }, origin) =>
      refusing(async () => {
        await backups.remove(name, await owner(origin));
        return { name };
      }),
    'backup.restore': ({ name, ...requested }, origin) =>
      refusing(async () => {
        const {
          forgotten: _forgotten,
          damaged,
          notes,
          homes,
          ...restored
        } = await backups.restore(name, requested, await owner(origin));
        return {
          ...restored,
          damaged: [...damaged],
          notes: [...notes],
          homes: homes.map(({ username, path, files }) => ({ username, path, files })),
        };
      }),
    'backup.setPassphrase': ({ passphrase }, origin) =>
      refusing(async () => {
        await backups.setPassphrase(passphrase, await owner(origin));
        return { passphraseSet: passphraseSet() };
      }),
  };
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await toControlError(work);
  } catch (error) {
    throw error instanceof BackupProblem ? new ControlError('refused', error.message) : error;
  }
}

type Listed = Awaited<ReturnType<Backups['list']>>[number];

function viewOfListed({ name, folder, manifest, problem, isOwn, check }: Listed) {
  return {
    ...{ name, path: folder, own: isOwn, problem },
    backup: manifest === null ? null : viewOf(name, folder, manifest),
    checked: check === null ? null : { at: isoSeconds(check.at), problems: check.problems },
  };
}

/** The owner's view of a backup. */
function viewOf(name: string, path: string, manifest: Manifest): NonNullable<BackupView> {
  const { madeAt, larder, household, keys, files } = manifest;
  return { name, path, madeAt, larder, household, bytes: bytesOf(manifest), keys: keys !== null, files };
}

type BackupView = Output<'backup.list'>['backups'][number]['backup'];
