import { useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControlChange } from '../../control/control.tsx';
import { usePlace } from '../../control/routes.ts';
import { usePages } from '../../control/use-pages.ts';
import { t } from '../../messages/messages.ts';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import table from '../../parts/table.module.css';
import { Giver } from './giver.tsx';
import { ItemCell, SharedOrLinkedList } from './shared-or-linked-list.tsx';
import { SharedOrLinkedPage } from './shared-or-linked-page.tsx';

type Share = Output<'shares.list'>['shares'][number];

/** The shares of all accounts. */
export function Shares() {
  const text = usePlace().search.get('q') ?? '';
  const pages = usePages('shares.list', { text });
  const [ending, setEnding] = useState<readonly number[]>([]);
  const shares = pages.data?.pages.flatMap((page) => page.shares);
  const single = ending.length === 1 ? shares?.find(({ id }) => id === ending[0]) : undefined;
  return (
    <SharedOrLinkedPage>
      <SharedOrLinkedList
        pages={pages}
        rows={shares?.map((share) => ({ key: share.id, name: share.item.name, share }))}
        total={pages.data?.pages[0]?.total ?? 0}
        count={(count) => t('linksAndShares.shares.count', { count })}
        empty={t('linksAndShares.shares.empty')}
        emptyHelp={t('linksAndShares.shares.emptyHelp')}
        end={t('linksAndShares.shares.end')}
        onEnd={setEnding}
        heads={<ShareHeads what={t('linksAndShares.shares.columns.item')} />}
        cells={({ share }) => <Cells share={share} onEnd={() => setEnding([share.id])} />}
      />
      {ending.length > 0 && (
        <EndShares
          method="shares.remove"
          ids={ending}
          single={single === undefined ? null : { name: single.item.name, to: single.with.name }}
          loss={t('linksAndShares.shares.loss', { count: ending.length })}
          onClose={() => setEnding([])}
        />
      )}
    </SharedOrLinkedPage>
  );
}

/** The heads of a list of shares. @param what is shared */
export function ShareHeads({ what }: { readonly what: string }) {
  return (
    <>
      <th scope="col">{what}</th>
      <th scope="col" className={table.wide}>
        {t('linksAndShares.shares.columns.by')}
      </th>
      <th scope="col">{t('linksAndShares.shares.columns.with')}</th>
      <th scope="col" className={table.wide}>
        {t('linksAndShares.shares.columns.rights')}
      </th>
      <th scope="col" className={table.wide}>
        {t('linksAndShares.shares.columns.made')}
      </th>
      <th scope="col">
        <span className={table.unseen}>{t('linksAndShares.shares.columns.actions')}</span>
      </th>
    </>
  );
}

export function RecipientCell({ to }: { readonly to: Share['with'] }) {
  return (
    <td>
      {to.name}
      {to.kind !== 'user' && <span className={table.below}>{t(`linksAndShares.shares.kinds.${to.kind}`)}</span>}
    </td>
  );
}

function Cells({ share, onEnd }: { readonly share: Share; readonly onEnd: () => void }) {
  const rights = share.rights.map((right) => t(`linksAndShares.shares.rights.${right}`));
  return (
    <>
      <ItemCell item={share.item} />
      <td className={table.wide}>
        <Giver by={share.by} />
      </td>
      <RecipientCell to={share.with} />
      <td className={table.wide}>{[t('linksAndShares.shares.look'), ...rights].join(', ')}</td>
      <td className={table.wide}>
        <EmbeddedDate at={share.createdAt} />
      </td>
      <td className={table.end}>
        <RowMenu
          label={t('linksAndShares.shares.actionsOf', { name: share.item.name, to: share.with.name })}
          items={[{ word: t('linksAndShares.shares.end'), isDanger: true, run: onEnd }]}
        />
      </td>
    </>
  );
}

/** What is out of date after sharing has ended. */
const STALE = {
  'shares.remove': ['shares.list', 'accounts.list', 'activity.list'],
  'albumShares.remove': ['albumShares.list', 'activity.list'],
} as const;

interface EndSharesProps {
  readonly method: keyof typeof STALE;
  readonly ids: readonly number[];
  /** What is shared with whom, if it is a single share. */
  readonly single: { readonly name: string; readonly to: string } | null;
  /** What is lost. */
  readonly loss: string;
  readonly onClose: () => void;
}

/** Asks whether to end shares. */
export function EndShares({ method, ids, single, loss, onClose }: EndSharesProps) {
  const remove = useControlChange(method, STALE[method]);
  return (
    <Confirm
      title={
        single !== null
          ? t('linksAndShares.shares.confirm', single)
          : t('linksAndShares.shares.confirmMany', { count: ids.length })
      }
      loss={loss}
      label={t('linksAndShares.shares.end')}
      keep={single !== null ? t('linksAndShares.shares.keep') : t('linksAndShares.shares.keepMany')}
      change={remove}
      onDo={() => remove.mutate({ ids: [...ids] }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
