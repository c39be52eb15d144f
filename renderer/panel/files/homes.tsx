import { useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { addressOf } from '../../control/routes.ts';
import { LOCALE, t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { useToast } from '../../parts/dialogs/toasts.tsx';
import { FileName } from '../../parts/file-name.tsx';
import { Note, RefusalNote, reasonOf } from '../../parts/note.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { StatusDot, type Tone } from '../../parts/status-dot.tsx';
import table from '../../parts/table.module.css';
import { size } from '../../sizes.ts';
import styles from './files.module.css';

type Home = Output<'homes.list'>['homes'][number];
type Progress = Output<'status'>['catalogue'][number];
type Over = { readonly kind: 'trash' | 'forget'; readonly home: Home };

/** Compares every file, or cancels that. */
export function CheckAll() {
  const say = useToast();
  const check = useControlChange('homes.check', ['status']);
  const stop = useControlChange('homes.cancelCheck', ['status']);
  const status = useControl('status', {});
  if (status.data?.catalogue.some(({ state }) => state === 'checking')) {
    return (
      <ActionButton
        variant="default"
        isBusy={stop.isPending}
        onClick={() => stop.mutate({}, { onSuccess: () => say(t('files.homes.stopped')) })}
      >
        {t('files.homes.stopChecking')}
      </ActionButton>
    );
  }
  return (
    <ActionButton
      variant="default"
      isBusy={check.isPending}
      onClick={() => check.mutate({}, { onSuccess: ({ homes }) => say(t('files.homes.checking', { homes })) })}
    >
      {t('files.homes.checkAll')}
    </ActionButton>
  );
}

/** All homes, whether their disks are available, and the state of their catalogue. */
export function Homes() {
  const list = useControl('homes.list', {}, { every: 10_000 });
  const status = useControl('status', {}, { every: 5_000 });
  const [over, setOver] = useState<Over | null>(null);
  const check = useControlChange('homes.check', ['status']);
  if (list.data === undefined) {
    if (list.error === null) return <Skeletons widths={[600, 560]} />;
    return (
      <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => list.refetch() }}>
        {t('files.homes.failed')} {reasonOf(list.error)}
      </Note>
    );
  }
  const progressOf = (id: string) => status.data?.catalogue.find((one) => one.id === id);
  return (
    <section className={styles.section} aria-label={t('files.homes.title')}>
      <h2>{t('files.homes.title')}</h2>
      <RefusalNote error={check.error} />
      {list.data.homes.length === 0 && (
        <div>
          <strong>{t('files.homes.empty')}</strong>
          <p className={table.help}>{t('files.homes.emptyHelp')}</p>
        </div>
      )}
      {list.data.homes.length > 0 && (
        <div className={table.scroll}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">{t('files.homes.columns.who')}</th>
                <th scope="col">{t('files.homes.columns.state')}</th>
                <th scope="col" className={`${table.number} ${table.wide}`}>
                  {t('files.homes.columns.items')}
                </th>
                <th scope="col" className={`${table.number} ${table.wide}`}>
                  {t('files.homes.columns.used')}
                </th>
                <th scope="col">
                  <span className={table.unseen}>{t('files.homes.columns.actions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {list.data.homes.map((home) => (
                <Row
                  key={home.id}
                  home={home}
                  progress={progressOf(home.id)}
                  onCheck={() => check.mutate({ id: home.id })}
                  onOpen={setOver}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className={table.help}>{t('files.homes.checkHelp')}</p>
      {over?.kind === 'trash' && <PutIntoTrash home={over.home} onClose={() => setOver(null)} />}
      {over?.kind === 'forget' && <Forget home={over.home} onClose={() => setOver(null)} />}
    </section>
  );
}

const TONES = {
  offline: 'care',
  reading: 'care',
  checking: 'good',
  ready: 'good',
  unknown: 'off',
} as const satisfies Readonly<Record<string, Tone>>;

function ownerOf({ orphaned, username }: Home): string {
  if (!orphaned) return username;
  return username === '' ? t('files.homes.noOwner') : t('files.homes.formerOwner', { username });
}

interface RowProps {
  readonly home: Home;
  readonly progress: Progress | undefined;
  readonly onCheck: () => void;
  readonly onOpen: (over: Over) => void;
}

function Row({ home, progress, onCheck, onOpen }: RowProps) {
  const state = home.online ? (progress?.state ?? 'unknown') : 'offline';
  const isBusy = state === 'reading' || state === 'checking';
  const { accountId } = home;
  return (
    <tr>
      <th scope="row" className={styles.home}>
        <strong>{ownerOf(home)}</strong>
        <code className={table.below}>
          <FileName name={home.path} />
        </code>
      </th>
      <td>
        <span className={table.state}>
          <StatusDot tone={TONES[state]} />
          {t(`files.homes.states.${state}`)}
        </span>
        {progress !== undefined && progress.unwatched > 0 && (
          <span className={table.below}>{t('files.homes.unwatched', { folders: progress.unwatched })}</span>
        )}
      </td>
      <td className={`${table.number} ${table.wide}`}>
        {progress === undefined || state === 'offline'
          ? null
          : isBusy
            ? t('files.homes.soFar', { items: progress.items })
            : home.items.toLocaleString(LOCALE)}
      </td>
      <td className={`${table.number} ${table.wide}`}>{size(home.usedBytes)}</td>
      <td className={table.end}>
        <RowMenu
          label={t('files.homes.actionsOf', { path: home.path })}
          items={[
            ...(home.online ? [{ word: t('files.homes.check'), run: onCheck }] : []),
            ...(accountId === null
              ? []
              : [
                  {
                    word: t('files.homes.openPerson'),
                    run: () => {
                      location.hash = addressOf('user', { id: accountId });
                    },
                  },
                ]),
            ...(home.orphaned && home.online
              ? [{ word: t('files.homes.trash'), isDanger: true, run: () => onOpen({ kind: 'trash', home }) }]
              : []),
            ...(home.orphaned && !home.online
              ? [{ word: t('files.homes.forget'), isDanger: true, run: () => onOpen({ kind: 'forget', home }) }]
              : []),
          ]}
        />
      </td>
    </tr>
  );
}

interface AskProps {
  readonly home: Home;
  readonly onClose: () => void;
}

function PutIntoTrash({ home, onClose }: AskProps) {
  const trash = useControlChange('homes.trash.add', ['homes.list', 'homes.trash.list', 'status', 'activity.list']);
  return (
    <Confirm
      title={t('files.homes.trashTitle', { path: home.path })}
      loss={t('files.homes.trashLoss')}
      label={t('files.homes.trash')}
      keep={t('files.homes.keep')}
      change={trash}
      onDo={() => trash.mutate({ id: home.id }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

function Forget({ home, onClose }: AskProps) {
  const forget = useControlChange('homes.forget', ['homes.list', 'status', 'activity.list']);
  return (
    <Confirm
      title={t('files.homes.forgetTitle', { path: home.path })}
      loss={t('files.homes.forgetLoss')}
      label={t('files.homes.forget')}
      keep={t('files.homes.keep')}
      change={forget}
      onDo={() => forget.mutate({ id: home.id }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
