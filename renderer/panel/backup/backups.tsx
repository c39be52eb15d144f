import { IconHistory } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { warningMessages } from '../../../server/messages/en/api/warnings.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { addressOf } from '../../control/routes.ts';
import { rich, t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { useToast } from '../../parts/dialogs/toasts.tsx';
import { Note, RefusalNote, reasonOf } from '../../parts/note.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { relativeTime } from '../../relative-time.ts';
import { size } from '../../sizes.ts';
import { Refusal } from '../../transport/transport.ts';
import type { BackupState, ListedBackup } from './backup.ts';
import { BackupPage } from './backup-page.tsx';
import styles from './backups.module.css';
import { BackupsTable } from './backups-table.tsx';
import { Check } from './check.tsx';
import { FirstChoice } from './first-choice.tsx';
import { Restore } from './restore.tsx';
import { Restoring } from './restoring.tsx';
import { Work } from './work.tsx';

const STALE = ['backup.state', 'backup.list', 'status', 'activity.list'] as const;

/** The dialog over the list. */
interface Over {
  readonly kind: 'check' | 'restore' | 'remove';
  readonly listed: ListedBackup;
}

/** The list of backups, the present job, and how to restore. */
export function Backups() {
  const state = useControl('backup.state', {}, { every: 15_000 });
  const list = useControl('backup.list', {});
  const make = useControlChange('backup.make', STALE);
  const verify = useControlChange('backup.verify', STALE);
  const [over, setOver] = useState<Over | null>(null);
  const isCancelled = useRef(false);
  const say = useToast();
  const progress = state.data?.progress;
  const isBusy = (progress !== undefined && progress.what !== null) || make.isPending || verify.isPending;

  function backUp(): void {
    if (isBusy) return;
    isCancelled.current = false;
    verify.reset();
    make.mutate(
      {},
      {
        onSuccess: ({ bytes }) => say(t('backup.made', { size: size(bytes) })),
        onError: () => {
          if (isCancelled.current) say(t('backup.cancelled'));
        },
      },
    );
  }

  function check({ name }: ListedBackup, passphrase: string | null): void {
    setOver(null);
    isCancelled.current = false;
    make.reset();
    verify.mutate(
      { name, ...(passphrase === null ? {} : { passphrase }) },
      {
        onSuccess: ({ ok }) => {
          if (ok) say(t('backup.check.whole', { name }));
        },
        onError: () => {
          if (isCancelled.current) say(t('backup.check.cancelled'));
        },
      },
    );
  }

  // A browser may time out during a job of hours: then only the state shows its result.
  const refusalOf = (error: Error | null) => (error instanceof Refusal && !isCancelled.current ? error : null);
  const refused = refusalOf(make.error);
  const isAsked = state.data?.chosen === false;
  const settings = useControl('settings.get', {});
  return (
    <BackupPage
      action={
        !isAsked && (
          <ActionButton icon={IconHistory} isBusy={isBusy} onClick={backUp}>
            {t('backup.make')}
          </ActionButton>
        )
      }
    >
      <div className={styles.parts}>
        {state.error !== null && (
          <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => state.refetch() }}>
            {t('common.unread')} {reasonOf(state.error)}
          </Note>
        )}
        {state.data !== undefined && settings.data !== undefined && isAsked && (
          <FirstChoice state={state.data} every={settings.data.backupEvery} onChosen={backUp} />
        )}
        {state.data !== undefined && (
          <Situation state={state.data} isAsked={isAsked} isBusy={isBusy} onTryAgain={backUp} />
        )}
        {refused !== null && refused.message !== state.data?.failure?.message && <RefusalNote error={refused} />}
        <RefusalNote error={refusalOf(verify.error)} />
        {verify.data !== undefined && !verify.data.ok && (
          <Note tone="danger">
            {t('backup.check.problems', { name: verify.data.name })} {verify.data.problems.join(' ')}
          </Note>
        )}
        {progress !== undefined && progress.what !== null && over?.kind !== 'restore' && (
          <Work
            progress={progress}
            onCancel={() => {
              isCancelled.current = true;
            }}
          />
        )}
        <Notes all={make.data?.notes ?? []} />
        {list.data === undefined ? (
          list.error === null && <Skeletons widths={[600, 560, 580]} />
        ) : list.data.backups.length === 0 ? (
          !isAsked && (
            <div>
              <strong>{t('backup.list.empty')}</strong>
              <p className={styles.help}>{t('backup.list.emptyHelp')}</p>
            </div>
          )
        ) : (
          <BackupsTable backups={list.data.backups} onPick={(kind, listed) => setOver({ kind, listed })} />
        )}
        {list.error !== null && state.data?.placeThere !== false && (
          <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => list.refetch() }}>
            {t('common.unread')} {reasonOf(list.error)}
          </Note>
        )}
        {!isAsked && <Restoring newest={list.data?.backups.find(isWhole) ?? null} />}
      </div>
      {over?.kind === 'check' && (
        <Check
          listed={over.listed}
          onCheck={(passphrase) => check(over.listed, passphrase)}
          onClose={() => setOver(null)}
        />
      )}
      {over?.kind === 'restore' && <Restore listed={over.listed} onClose={() => setOver(null)} />}
      {over?.kind === 'remove' && (
        <Remove listed={over.listed} isLast={list.data?.backups.length === 1} onClose={() => setOver(null)} />
      )}
    </BackupPage>
  );
}

/** As far as known. */
function isWhole({ backup, own, checked }: ListedBackup): boolean {
  return own && backup !== null && (checked === null || checked.problems.length === 0);
}

interface SituationProps {
  readonly state: BackupState;
  /** Whether the owner is just being asked where backups go. */
  readonly isAsked: boolean;
  readonly isBusy: boolean;
  readonly onTryAgain: () => void;
}

/** The destination and schedule, and their problems. */
function Situation({ state, isAsked, isBusy, onTryAgain }: SituationProps) {
  const { place, placeThere, sameDisk, failure, due, heldBack } = state;
  const toSettings = {
    word: t('backup.chooseOther'),
    run: () => {
      location.hash = addressOf('backupSettings');
    },
  };
  const now = new Date();
  return (
    <>
      {placeThere ? null : (
        <Note tone="danger" action={toSettings}>
          {t('backup.away', { place })}
        </Note>
      )}
      {failure !== null && placeThere && !isBusy && (
        <Note tone="danger" action={{ word: t('common.tryAgain'), run: onTryAgain }}>
          {t('backup.failure', { at: relativeTime(new Date(failure.at), now), message: failure.message })}
        </Note>
      )}
      {heldBack.map(({ name, reason }) => (
        <Note tone="care" key={name}>
          {t('backup.heldBack', { name, reason })}
        </Note>
      ))}
      {placeThere && sameDisk && !isAsked && (
        <Note tone="care" action={toSettings}>
          {t('backup.sameDisk')}
        </Note>
      )}
      {placeThere && !isAsked && (
        <p className={styles.quiet}>
          {due === null
            ? rich('backup.never', { place: <code>{place}</code> })
            : rich('backup.next', { at: relativeTime(new Date(due), now), place: <code>{place}</code> })}
        </p>
      )}
    </>
  );
}

/** Remarks on a new backup. That it is on the same disk is shown elsewhere. */
function Notes({ all }: { readonly all: readonly string[] }) {
  const shown = all.filter((text) => text !== warningMessages['api.warnings.sameDisk']);
  if (shown.length === 0) return null;
  return (
    <div>
      <p className={styles.quiet}>{t('backup.notes')}</p>
      <ul className={styles.notes}>
        {shown.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

interface RemoveProps {
  readonly listed: ListedBackup;
  readonly isLast: boolean;
  readonly onClose: () => void;
}

function Remove({ listed: { name }, isLast, onClose }: RemoveProps) {
  const remove = useControlChange('backup.remove', STALE);
  return (
    <Confirm
      title={t('backup.remove.title', { name })}
      loss={isLast ? t('backup.remove.lossOfLast') : t('backup.remove.loss')}
      label={t('backup.remove.do')}
      keep={t('backup.remove.keep')}
      change={remove}
      onDo={() => remove.mutate({ name }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
