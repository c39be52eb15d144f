import { useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControlChange } from '../../control/control.tsx';
import { usePlace } from '../../control/routes.ts';
import { usePages } from '../../control/use-pages.ts';
import { t } from '../../messages/messages.ts';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import { StatusDot } from '../../parts/status-dot.tsx';
import table from '../../parts/table.module.css';
import { Giver } from './giver.tsx';
import { AlbumCell, ItemCell, SharedOrLinkedList } from './shared-or-linked-list.tsx';
import { SharedOrLinkedPage } from './shared-or-linked-page.tsx';

type Link = Output<'links.list'>['links'][number];

/** The web links of all accounts. */
export function Links() {
  const text = usePlace().search.get('q') ?? '';
  const pages = usePages('links.list', { text });
  const [ending, setEnding] = useState<readonly number[]>([]);
  const links = pages.data?.pages.flatMap((page) => page.links);
  return (
    <SharedOrLinkedPage>
      <SharedOrLinkedList
        pages={pages}
        rows={links?.map((link) => ({ key: link.number, name: nameOf(link), link }))}
        total={pages.data?.pages[0]?.total ?? 0}
        count={(count) => t('linksAndShares.links.count', { count })}
        empty={t('linksAndShares.links.empty')}
        emptyHelp={t('linksAndShares.links.emptyHelp')}
        end={t('linksAndShares.links.end')}
        onEnd={setEnding}
        heads={
          <>
            <th scope="col">{t('linksAndShares.links.columns.item')}</th>
            <th scope="col" className={table.wide}>
              {t('linksAndShares.links.columns.by')}
            </th>
            <th scope="col" className={table.wide}>
              {t('linksAndShares.links.columns.kind')}
            </th>
            <th scope="col" className={`${table.number} ${table.wide}`}>
              {t('linksAndShares.links.columns.downloads')}
            </th>
            <th scope="col">{t('linksAndShares.links.columns.ends')}</th>
            <th scope="col" className={table.wide}>
              {t('linksAndShares.links.columns.made')}
            </th>
            <th scope="col">
              <span className={table.unseen}>{t('linksAndShares.links.columns.actions')}</span>
            </th>
          </>
        }
        cells={({ link }) => <Cells link={link} onEnd={() => setEnding([link.number])} />}
      />
      {ending.length > 0 && (
        <EndLinks
          numbers={ending}
          name={nameOf(links?.find(({ number }) => number === ending[0]))}
          onClose={() => setEnding([])}
        />
      )}
    </SharedOrLinkedPage>
  );
}

const nameOf = (link: Link | undefined) => link?.album ?? link?.item.name ?? '';

function Cells({ link, onEnd }: { readonly link: Link; readonly onEnd: () => void }) {
  const kind = link.takesUploads ? (link.givesDownloads ? 'both' : 'upload') : 'download';
  // Without its files a link opens nothing, whatever else holds for it. An album may get photos again.
  const { item, items, album } = link;
  const end = items === 0 && album === null && item.state !== 'there' ? item.state : link.endedBy;
  const rules = [
    ...(link.hasPassword ? [t('linksAndShares.links.withPassword')] : []),
    ...(link.requiresLogin ? [t('linksAndShares.links.withLogin')] : []),
  ];
  return (
    <>
      {link.album === null ? (
        <ItemCell item={link.item} further={link.items - Number(link.item.state === 'there')} />
      ) : (
        <AlbumCell name={t('linksAndShares.item.album', { title: link.album })} items={link.items} />
      )}
      <td className={table.wide}>
        <Giver by={link.by} />
      </td>
      <td className={table.wide}>
        {t(`linksAndShares.links.kinds.${kind}`)}
        {rules.length > 0 && <span className={table.below}>{rules.join(', ')}</span>}
      </td>
      <td className={`${table.number} ${table.wide}`}>
        {t('linksAndShares.links.of', { count: link.downloads, limit: link.downloadLimit })}
      </td>
      <td>
        {end !== null ? (
          <span className={table.state}>
            <StatusDot tone="off" />
            {t(`linksAndShares.links.endedBy.${end}`)}
          </span>
        ) : link.expiresAt === null ? (
          t('linksAndShares.links.never')
        ) : (
          <EmbeddedDate at={link.expiresAt} />
        )}
      </td>
      <td className={table.wide}>
        <EmbeddedDate at={link.createdAt} />
      </td>
      <td className={table.end}>
        <RowMenu
          label={t('linksAndShares.links.actionsOf', { name: nameOf(link) })}
          items={[{ word: t('linksAndShares.links.end'), isDanger: true, run: onEnd }]}
        />
      </td>
    </>
  );
}

interface EndLinksProps {
  readonly numbers: readonly number[];
  readonly name: string;
  readonly onClose: () => void;
}

function EndLinks({ numbers, name, onClose }: EndLinksProps) {
  const remove = useControlChange('links.remove', ['links.list', 'activity.list']);
  const isOne = numbers.length === 1;
  return (
    <Confirm
      title={
        isOne
          ? t('linksAndShares.links.confirm', { name })
          : t('linksAndShares.links.confirmMany', { count: numbers.length })
      }
      loss={t('linksAndShares.links.loss', { count: numbers.length })}
      label={t('linksAndShares.links.end')}
      keep={isOne ? t('linksAndShares.links.keep') : t('linksAndShares.links.keepMany')}
      change={remove}
      onDo={() => remove.mutate({ numbers: [...numbers] }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
