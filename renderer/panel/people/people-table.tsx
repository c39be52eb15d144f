import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import type { Person } from './account.ts';
import styles from './people.module.css';
import { type Action, PersonRow } from './person-row.tsx';
import type { AccountList } from './use-accounts.ts';

/** Pixels: all rows have the same height. */
const ROW = 56;

export type { Action };

type Sort = 'name' | 'used' | 'lastLogin';
type Order = 'asc' | 'desc';

interface PeopleTableProps {
  readonly kind: 'users' | 'guests' | 'administrators';
  readonly list: AccountList;
  readonly total: number;
  readonly sort: string;
  readonly order: Order;
  readonly selected: ReadonlySet<number>;
  readonly onSelect: (selected: ReadonlySet<number>) => void;
  readonly onSort: (sort: Sort, order: Order) => void;
  /** Called with the first and last visible row. */
  readonly onRows: (rows: readonly [number, number]) => void;
  readonly onAct: (action: Action, person: Person) => void;
}

/** Only rows near the window are rendered. */
export function PeopleTable(props: PeopleTableProps) {
  const { kind, list, total, selected, onSelect, onRows, onAct } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (body.current !== null) setTop(body.current.getBoundingClientRect().top + scrollY);
  }, []);
  const known = useControl('roles.list', {});
  const roles = new Map(known.data?.roles.map(({ id, name }) => [id, name]));
  const virtual = useWindowVirtualizer({ count: total, estimateSize: () => ROW, overscan: 8, scrollMargin: top });
  const items = virtual.getVirtualItems();
  const [from, to] = [items.at(0)?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => onRows([from, to]), [from, to, onRows]);

  const shown = items.flatMap(({ index }) => list.at(index) ?? []);
  const areAll = shown.length > 0 && shown.every(({ id }) => selected.has(id));
  const toggle = (ids: readonly number[], isOn: boolean) => {
    const next = new Set(selected);
    for (const id of ids) {
      if (isOn) next.add(id);
      else next.delete(id);
    }
    onSelect(next);
  };

  const above = (items.at(0)?.start ?? top) - top;
  const below = virtual.getTotalSize() - ((items.at(-1)?.end ?? top) - top);
  return (
    <table aria-rowcount={total + 1} aria-label={t(`people.tabs.${kind}`)} className={styles.table}>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col" className={styles.check}>
            <Checkbox
              size="sm"
              aria-label={t('people.list.selectShown')}
              checked={areAll}
              indeterminate={!areAll && selected.size > 0}
              onChange={(event) =>
                toggle(
                  shown.map(({ id }) => id),
                  event.currentTarget.checked,
                )
              }
            />
          </th>
          <Sorted {...props} by="name" word={t('people.list.columns.name')} className={styles.who} />
          <th scope="col" className={styles.wide}>
            {kind === 'guests' ? t('people.list.columns.invitedBy') : t('people.list.columns.role')}
          </th>
          <th scope="col" className={styles.wide}>
            {kind === 'administrators' ? t('people.list.columns.administers') : t('people.list.columns.groups')}
          </th>
          <Sorted {...props} by="used" word={t('people.list.columns.storage')} className={styles.storage} />
          <Sorted {...props} by="lastLogin" word={t('people.list.columns.login')} className={styles.wide} />
          <th scope="col" className={`${styles.wide} ${styles.noted}`}>
            <span className={styles.unseen}>{t('people.list.columns.notes')}</span>
          </th>
          <th scope="col" className={styles.end}>
            <span className={styles.unseen}>{t('people.list.columns.actions')}</span>
          </th>
        </tr>
      </thead>
      {/* Placeholder for the rows that are not rendered. */}
      <tbody aria-hidden ref={body}>
        <tr style={{ height: above }} />
      </tbody>
      <tbody>
        {items.map(({ index }) => (
          <PersonRow
            key={index}
            index={index}
            kind={kind}
            person={list.at(index)}
            role={roles.get(list.at(index)?.roleId ?? 0)}
            isSelected={selected.has(list.at(index)?.id ?? 0)}
            onToggle={toggle}
            onAct={onAct}
          />
        ))}
      </tbody>
      <tbody aria-hidden>
        <tr style={{ height: below }} />
      </tbody>
    </table>
  );
}

interface SortedProps extends Pick<PeopleTableProps, 'sort' | 'order' | 'onSort'> {
  readonly by: Sort;
  readonly word: string;
  readonly className: string | undefined;
}

function Sorted({ sort, order, onSort, by, word, className }: SortedProps) {
  const isSorted = sort === by;
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown;
  // Numeric columns sort in descending order first.
  const next = isSorted ? (order === 'asc' ? 'desc' : 'asc') : by === 'name' ? 'asc' : 'desc';
  const state = isSorted ? { 'aria-sort': order === 'asc' ? ('ascending' as const) : ('descending' as const) } : {};
  return (
    <th scope="col" className={className} {...state}>
      <button
        type="button"
        className={styles.sort}
        title={t(`people.list.sort.${by}`)}
        onClick={() => onSort(by, next)}
      >
        {word}
        {isSorted && <Arrow size={14} stroke={1.75} aria-hidden />}
      </button>
    </th>
  );
}
