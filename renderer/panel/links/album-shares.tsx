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
import { AlbumCell, SharedOrLinkedList } from './shared-or-linked-list.tsx';
import { SharedOrLinkedPage } from './shared-or-linked-page.tsx';
import { RecipientCell, ShareHeads } from './shares.tsx';

type Share = Output<'albumShares.list'>['shares'][number];

/** The albums that people share, once for each person or group. */
export function AlbumShares() {
  const text = usePlace().search.get('q') ?? '';
  const pages = usePages('albumShares.list', { text });
  const [ending, setEnding] = useState<readonly number[]>([]);
  const shares = pages.data?.pages.flatMap((page) => page.shares);
  return (
    <SharedOrLinkedPage>
      <SharedOrLinkedList
        pages={pages}
        rows={shares?.map((share) => ({ key: share.id, name: share.title, share }))}
        total={pages.data?.pages[0]?.total ?? 0}
        count={(count) => t('linksAndShares.shares.count', { count })}
        empty={t('linksAndShares.albums.empty')}
        emptyHelp={t('linksAndShares.albums.emptyHelp')}
        end={t('linksAndShares.shares.end')}
        onEnd={setEnding}
        heads={<ShareHeads what={t('linksAndShares.albums.column')} />}
        cells={({ share }) => <Cells share={share} onEnd={() => setEnding([share.id])} />}
      />
      {ending.length > 0 && (
        <EndAlbumShares ids={ending} share={shares?.find(({ id }) => id === ending[0])} onClose={() => setEnding([])} />
      )}
    </SharedOrLinkedPage>
  );
}

function Cells({ share, onEnd }: { readonly share: Share; readonly onEnd: () => void }) {
  return (
    <>
      <AlbumCell name={share.title} items={share.items} />
      <td className={table.wide}>
        <Giver by={share.by} />
      </td>
      <RecipientCell to={share.with} />
      <td className={table.wide}>{t(`linksAndShares.albums.roles.${share.role}`)}</td>
      <td className={table.wide}>
        <EmbeddedDate at={share.createdAt} />
      </td>
      <td className={table.end}>
        <RowMenu
          label={t('linksAndShares.shares.actionsOf', { name: share.title, to: share.with.name })}
          items={[{ word: t('linksAndShares.shares.end'), isDanger: true, run: onEnd }]}
        />
      </td>
    </>
  );
}

interface EndAlbumSharesProps {
  readonly ids: readonly number[];
  readonly share: Share | undefined;
  readonly onClose: () => void;
}

function EndAlbumShares({ ids, share, onClose }: EndAlbumSharesProps) {
  const remove = useControlChange('albumShares.remove', ['albumShares.list', 'activity.list']);
  const isOne = ids.length === 1;
  return (
    <Confirm
      title={
        isOne && share !== undefined
          ? t('linksAndShares.shares.confirm', { name: share.title, to: share.with.name })
          : t('linksAndShares.shares.confirmMany', { count: ids.length })
      }
      loss={t('linksAndShares.albums.loss', { count: ids.length })}
      label={t('linksAndShares.shares.end')}
      keep={isOne ? t('linksAndShares.shares.keep') : t('linksAndShares.shares.keepMany')}
      change={remove}
      onDo={() => remove.mutate({ ids: [...ids] }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
