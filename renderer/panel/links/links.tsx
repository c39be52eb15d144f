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

const words = givenTexts.links;

type Link = Output<'links.list'>['links'][number];

/** The web links of everybody. */
export function Links() {
  const text = usePlace().search.get('q') ?? '';
  const pages = usePages('links.list', { text });
  const [ending, setEnding] = useState<readonly number[]>([]);
  const links = pages.data?.pages.flatMap((page) => page.links);
  const { columns } = words;
  return (
    <GivenPage>
      <GivenList
        pages={pages}
        rows={links?.map((link) => ({ key: link.number, name: link.item.name, link }))}
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
            <th scope="col" className={table.wide}>
              {columns.kind}
            </th>
            <th scope="col" className={`${table.number} ${table.wide}`}>
              {columns.downloads}
            </th>
            <th scope="col">{columns.ends}</th>
            <th scope="col" className={table.wide}>
              {columns.made}
            </th>
            <th scope="col">
              <span className={table.unseen}>{columns.actions}</span>
            </th>
          </>
        }
        cells={({ link }) => <Cells link={link} onEnd={() => setEnding([link.number])} />}
      />
      {ending.length > 0 && (
        <EndLinks
          numbers={ending}
          name={links?.find(({ number }) => number === ending[0])?.item.name ?? ''}
          onClose={() => setEnding([])}
        />
      )}
    </GivenPage>
  );
}

function Cells({ link, onEnd }: { readonly link: Link; readonly onEnd: () => void }) {
  const kind = link.takesUploads ? (link.givesDownloads ? 'both' : 'upload') : 'download';
  const rules = [...(link.hasPassword ? [words.withPassword] : []), ...(link.requiresLogin ? [words.withLogin] : [])];
  return (
    <>
      <ItemCell item={link.item} />
      <td className={table.wide}>{link.by.username}</td>
      <td className={table.wide}>
        {words.kinds[kind]}
        {rules.length > 0 && <span className={table.below}>{rules.join(', ')}</span>}
      </td>
      <td className={`${table.number} ${table.wide}`}>{words.of(link.downloads, link.downloadLimit)}</td>
      <td>
        {link.ended ? (
          <span className={table.quiet}>{words.ended}</span>
        ) : link.expiresAt === null ? (
          words.never
        ) : (
          <EmbeddedDate at={link.expiresAt} />
        )}
      </td>
      <td className={table.wide}>
        <EmbeddedDate at={link.createdAt} />
      </td>
      <td className={table.end}>
        <RowMenu label={words.actionsOf(link.item.name)} items={[{ word: words.end, isDanger: true, run: onEnd }]} />
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
      title={isOne ? words.confirm(name) : words.confirmMany(numbers.length)}
      loss={words.loss}
      word={words.end}
      keep={isOne ? words.keep : words.keepMany}
      change={remove}
      onDo={() => remove.mutate({ numbers: [...numbers] }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
