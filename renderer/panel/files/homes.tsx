import { useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { size } from '../../amounts.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { addressOf } from '../../control/routes.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { useToast } from '../../parts/dialogs/toasts.tsx';
import { Note, RefusalNote, reasonOf } from '../../parts/note.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { StatusDot, type Tone } from '../../parts/status-dot.tsx';
import table from '../../parts/table.module.css';
import { filesTexts } from '../../texts/files.ts';
import { texts } from '../../texts/texts.ts';
import styles from './files.module.css';

const words = filesTexts.homes;

type Home = Output<'homes.list'>['homes'][number];
type Progress = Output<'status'>['catalogue'][number];
type Over = { readonly kind: 'trash' | 'forget'; readonly home: Home };

/** Compares every file, or ends that while it is under way. */
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
        onClick={() => stop.mutate({}, { onSuccess: () => say(words.stopped) })}
      >
        {words.stopChecking}
      </ActionButton>
    );
  }
  return (
    <ActionButton
      variant="default"
      isBusy={check.isPending}
      onClick={() => check.mutate({}, { onSuccess: ({ homes }) => say(words.checking(homes)) })}
    >
      {words.checkAll}
    </ActionButton>
  );
}

/** Everybody's folder, whether its disk is there, and how far the catalogue of it is. */
export function Homes() {
  const list = useControl('homes.list', {}, { every: 10_000 });
  const status = useControl('status', {}, { every: 5_000 });
  const [over, setOver] = useState<Over | null>(null);
  const check = useControlChange('homes.check', ['status']);
  if (list.data === undefined) {
    if (list.error === null) return <Skeletons widths={[600, 560]} />;
    return (
      <Note tone="danger" action={{ word: texts.tryAgain, run: () => list.refetch() }}>
        {words.failed} {reasonOf(list.error)}
      </Note>
    );
  }
  const progressOf = (id: string) => status.data?.catalogue.find((one) => one.id === id);
  return (
    <section className={styles.section} aria-label={words.title}>
      <h2>{words.title}</h2>
      <RefusalNote error={check.error} />
      {list.data.homes.length === 0 && (
        <div>
          <strong>{words.empty}</strong>
          <p className={table.help}>{words.emptyHelp}</p>
        </div>
      )}
      {list.data.homes.length > 0 && (
        <div className={table.scroll}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">{words.columns.who}</th>
                <th scope="col">{words.columns.state}</th>
                <th scope="col" className={`${table.number} ${table.wide}`}>
                  {words.columns.items}
                </th>
                <th scope="col" className={`${table.number} ${table.wide}`}>
                  {words.columns.used}
                </th>
                <th scope="col">
                  <span className={table.unseen}>{words.columns.actions}</span>
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
      <p className={table.help}>{words.checkHelp}</p>
      {over?.kind === 'trash' && <PutIntoTrash home={over.home} onClose={() => setOver(null)} />}
      {over?.kind === 'forget' && <Forget home={over.home} onClose={() => setOver(null)} />}
    </section>
  );
}

const TONES: Readonly<Record<keyof typeof words.states, Tone>> = {
  offline: 'care',
  reading: 'care',
  checking: 'good',
  ready: 'good',
  unknown: 'off',
};

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
        <strong>{home.orphaned ? words.orphaned(home.username) : home.username}</strong>
        <code className={table.below}>{home.path}</code>
      </th>
      <td>
        <span className={table.state}>
          <StatusDot tone={TONES[state]} />
          {words.states[state]}
        </span>
        {progress !== undefined && progress.unwatched > 0 && (
          <span className={table.below}>{words.unwatched(progress.unwatched)}</span>
        )}
      </td>
      <td className={`${table.number} ${table.wide}`}>
        {progress === undefined || state === 'offline'
          ? null
          : isBusy
            ? words.soFar(progress.items)
            : progress.items.toLocaleString('en-GB')}
      </td>
      <td className={`${table.number} ${table.wide}`}>{size(home.usedBytes)}</td>
      <td className={table.end}>
        <RowMenu
          label={words.actionsOf(home.path)}
          items={[
            ...(home.online ? [{ word: words.check, run: onCheck }] : []),
            ...(accountId === null
              ? []
              : [
                  {
                    word: words.openPerson,
                    run: () => {
                      location.hash = addressOf('user', { id: accountId });
                    },
                  },
                ]),
            ...(home.orphaned && home.online
              ? [{ word: words.trash, isDanger: true, run: () => onOpen({ kind: 'trash', home }) }]
              : []),
            ...(home.orphaned && !home.online
              ? [{ word: words.forget, isDanger: true, run: () => onOpen({ kind: 'forget', home }) }]
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
      title={words.trashTitle(home.path)}
      loss={words.trashLoss}
      word={words.trash}
      keep={words.keep}
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
      title={words.forgetTitle(home.path)}
      loss={words.forgetLoss}
      word={words.forget}
      keep={words.keep}
      change={forget}
      onDo={() => forget.mutate({ id: home.id }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
