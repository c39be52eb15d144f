import { Button, Checkbox, CloseButton } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { bidiIsolate } from '../../../server/lib/text/bidi-isolate.ts';
import { addressOf, usePlace } from '../../control/routes.ts';
import { replaceAddress } from '../../control/unsaved-changes.ts';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { FileName } from '../../parts/file-name.tsx';
import filters from '../../parts/forms/filters.module.css';
import { SearchField } from '../../parts/forms/search-field.tsx';
import { Note, reasonOf } from '../../parts/note.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import table from '../../parts/table.module.css';
import styles from './links.module.css';

/** A link or share in the list. */
interface SharedOrLinkedRow {
  readonly key: number;
  readonly name: string;
}

interface SharedOrLinkedListProps<Row extends SharedOrLinkedRow> {
  readonly pages: UseInfiniteQueryResult<unknown>;
  /** Undefined while the first ones are loading. */
  readonly rows: readonly Row[] | undefined;
  readonly total: number;
  readonly count: (total: number) => string;
  readonly empty: string;
  readonly emptyHelp: string;
  readonly end: string;
  readonly heads: ReactNode;
  readonly cells: (row: Row) => ReactNode;
  readonly onEnd: (keys: readonly number[]) => void;
}

/** A list of links or shares: searchable, loaded on demand, with actions to end one or several. */
export function SharedOrLinkedList<Row extends SharedOrLinkedRow>(props: SharedOrLinkedListProps<Row>) {
  const { pages, rows, total, count, empty, emptyHelp, end, heads, cells, onEnd } = props;
  const { route, search } = usePlace();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const q = search.get('q') ?? '';
  const shown = rows ?? [];
  const picked = shown.filter(({ key }) => selected.has(key)).map(({ key }) => key);
  const toggle = (keys: readonly number[], isOn: boolean) => {
    const next = new Set(selected);
    for (const key of keys) {
      if (isOn) next.add(key);
      else next.delete(key);
    }
    setSelected(next);
  };
  return (
    <>
      <div className={filters.filters}>
        <SearchField
          className={filters.search}
          label={t('linksAndShares.search')}
          value={q}
          onChange={(text) => replaceAddress(addressOf(route, { search: { q: text } }))}
        />
        <span className={filters.count} role="status">
          {rows === undefined ? '' : count(total)}
        </span>
      </div>
      {pages.error !== null && (
        <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => pages.refetch() }}>
          {t('common.unread')} {reasonOf(pages.error)}
        </Note>
      )}
      {picked.length > 0 && (
        <div className={styles.selection}>
          <CloseButton
            size={28}
            iconSize={16}
            aria-label={t('linksAndShares.clear')}
            onClick={() => setSelected(new Set())}
          />
          <strong role="status">{t('linksAndShares.selected', { count: picked.length })}</strong>
          <Button variant="default" size="xs" className={table.danger ?? ''} onClick={() => onEnd(picked)}>
            {end}
          </Button>
        </div>
      )}
      {rows === undefined ? (
        pages.error === null && <Skeletons widths={[700, 620, 660]} />
      ) : rows.length === 0 ? (
        <div className={styles.empty}>
          <strong>{q === '' ? empty : t('linksAndShares.none')}</strong>
          <p>{q === '' ? emptyHelp : t('linksAndShares.noneHelp')}</p>
        </div>
      ) : (
        <div className={table.scroll}>
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col" className={styles.check}>
                  <Checkbox
                    size="sm"
                    aria-label={t('linksAndShares.selectAll')}
                    checked={picked.length === shown.length}
                    indeterminate={picked.length > 0 && picked.length < shown.length}
                    onChange={(event) =>
                      toggle(
                        shown.map(({ key }) => key),
                        event.currentTarget.checked,
                      )
                    }
                  />
                </th>
                {heads}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <tr key={row.key}>
                  <td className={styles.check}>
                    <Checkbox
                      size="sm"
                      aria-label={t('linksAndShares.select', { name: row.name })}
                      checked={selected.has(row.key)}
                      onChange={(event) => toggle([row.key], event.currentTarget.checked)}
                    />
                  </td>
                  {cells(row)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pages.hasNextPage && (
        <div className={styles.more}>
          <ActionButton variant="default" isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('common.more')}
          </ActionButton>
        </div>
      )}
    </>
  );
}

type Item = Output<'links.list'>['links'][number]['item'];

/** The file or folder, with its path below. @param further how many items there are beside it */
export function ItemCell({ item, further = 0 }: { readonly item: Item; readonly further?: number }) {
  const where = [
    item.owner === null ? t('linksAndShares.item.nobody') : t('linksAndShares.item.of', { owner: item.owner }),
    ...(item.state === 'there' ? [] : [t(`linksAndShares.item.${item.state}`)]),
  ];
  return (
    <th scope="row" className={styles.item} title={bidiIsolate(item.path)}>
      <strong>
        <FileName name={item.name} />
        {further > 0 && ` ${t('linksAndShares.item.further', { count: further })}`}
      </strong>
      <span className={table.below}>
        {[...(item.path === item.name ? [] : [bidiIsolate(item.path)]), ...where].join(' · ')}
      </span>
    </th>
  );
}

/** @param items how many are in the album */
export function AlbumCell({ name, items }: { readonly name: string; readonly items: number }) {
  return (
    <th scope="row" className={styles.item}>
      <strong>{name}</strong>
      <span className={table.below}>{t('linksAndShares.item.photos', { count: items })}</span>
    </th>
  );
}
