import { useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControlChange } from '../../control/control.tsx';
import { usePlace } from '../../control/routes.ts';
import { usePages } from '../../control/use-pages.ts';
import { RowMenu } from '../../parts/buttons/row-menu.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { EmbeddedDate } from '../../parts/moment.tsx';
import table from '../../parts/table.module.css';
import { givenTexts } from '../../texts/given.ts';
import { GivenList, ItemCell } from './given-list.tsx';
import { GivenPage } from './given-page.tsx';

const words = givenTexts.shares;

type Share = Output<'shares.list'>['shares'][number];

/** What everybody shares with whom. */
export function Shares() {
  const text = usePlace().search.get('q') ?? '';
  const pages = usePages('shares.list', { text });
  const [ending, setEnding] = useState<readonly number[]>([]);
  const shares = pages.data?.pages.flatMap((page) => page.shares);
  const { columns } = words;
  return (
    <GivenPage>
      <GivenList
        pages={pages}
        rows={shares?.map((share) => ({ key: share.id, name: share.item.name, share }))}
        total={pages.data?.pages[0]?.total ?? 0}
        count={words.count}
        empty={words.empty}
        emptyHelp={words.emptyHelp}
        end={words.end}
        onEnd={setEnding}
        heads={
          <>
            <th scope="col">{columns.item}</th>
            <th scope="col" className={table.wide}>
              {columns.by}
            </th>
            <th scope="col">{columns.with}</th>
            <th scope="col" className={table.wide}>
              {columns.rights}
            </th>
            <th scope="col" className={table.wide}>
              {columns.made}
            </th>
            <th scope="col">
              <span className={table.unseen}>{columns.actions}</span>
            </th>
          </>
        }
        cells={({ share }) => <Cells share={share} onEnd={() => setEnding([share.id])} />}
      />
      {ending.length > 0 && (
        <EndShares ids={ending} share={shares?.find(({ id }) => id === ending[0])} onClose={() => setEnding([])} />
      )}
    </GivenPage>
  );
}

function Cells({ share, onEnd }: { readonly share: Share; readonly onEnd: () => void }) {
  const rights = share.rights.map((right) => words.rights[right]);
  return (
    <>
      <ItemCell item={share.item} />
      <td className={table.wide}>{share.by.username}</td>
      <td>
        {share.with.name}
        {words.kinds[share.with.kind] !== '' && <span className={table.below}>{words.kinds[share.with.kind]}</span>}
      </td>
      <td className={table.wide}>{[words.look, ...rights].join(', ')}</td>
      <td className={table.wide}>
        <EmbeddedDate at={share.createdAt} />
      </td>
      <td className={table.end}>
        <RowMenu
          label={words.actionsOf(share.item.name, share.with.name)}
          items={[{ word: words.end, isDanger: true, run: onEnd }]}
        />
      </td>
    </>
  );
}

interface EndSharesProps {
  readonly ids: readonly number[];
  readonly share: Share | undefined;
  readonly onClose: () => void;
}

function EndShares({ ids, share, onClose }: EndSharesProps) {
  const remove = useControlChange('shares.remove', ['shares.list', 'accounts.list', 'activity.list']);
  const isOne = ids.length === 1;
  return (
    <Confirm
      title={
        isOne && share !== undefined ? words.confirm(share.item.name, share.with.name) : words.confirmMany(ids.length)
      }
      loss={words.loss}
      word={words.end}
      keep={isOne ? words.keep : words.keepMany}
      change={remove}
      onDo={() => remove.mutate({ ids: [...ids] }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
