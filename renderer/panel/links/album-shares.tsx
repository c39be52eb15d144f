import { useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { usePlace } from '../../control/routes.ts';
import { usePages } from '../../control/use-pages.ts';
import { t } from '../../messages/messages.ts';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import table from '../../parts/table.module.css';
import { Giver } from './giver.tsx';
import { AlbumCell, SharedOrLinkedList } from './shared-or-linked-list.tsx';
import { SharedOrLinkedPage } from './shared-or-linked-page.tsx';
import { EndShares, RecipientCell, ShareHeads } from './shares.tsx';

type Share = Output<'albumShares.list'>['shares'][number];

/** The albums that people share, once for each person or group. */
export function AlbumShares() {
  const text = usePlace().search.get('q') ?? '';
  const pages = usePages('albumShares.list', { text });
  const [ending, setEnding] = useState<readonly number[]>([]);
  const shares = pages.data?.pages.flatMap((page) => page.shares);
  const single = ending.length === 1 ? shares?.find(({ id }) => id === ending[0]) : undefined;
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
        <EndShares
          method="albumShares.remove"
          ids={ending}
          single={single === undefined ? null : { name: single.title, to: single.with.name }}
          loss={t('linksAndShares.albums.loss', { count: ending.length })}
          onClose={() => setEnding([])}
        />
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
