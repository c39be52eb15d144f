import { useRef, useState } from 'react';
import { addressOf, type Route, usePlace } from '../../control/routes.ts';
import { replaceAddress } from '../../control/unsaved-changes.ts';
import { t } from '../../messages/messages.ts';
import { Note, reasonOf } from '../../parts/note.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import type { AccountQuery, Kind, Person } from './account.ts';
import { Filters } from './filters.tsx';
import styles from './people.module.css';
import { type Action, PeopleTable } from './people-table.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useAccounts } from './use-accounts.ts';

const STATES = ['active', 'deactivated', 'expired'] as const;
const SORTS = ['name', 'used', 'lastLogin'] as const;

interface PeopleListProps {
  readonly kind: Kind;
  readonly onAct: (action: Action, person: Person) => void;
  readonly onRemoveMany: (ids: readonly number[]) => void;
}

/** A list of people of a kind: searched, filtered and sorted by the server, according to the address. */
export function PeopleList({ kind, onAct, onRemoveMany }: PeopleListProps) {
  const { route, search } = usePlace();
  const [rows, setRows] = useState<readonly [number, number]>([0, 30]);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const query = queryOf(kind, search);
  const list = useAccounts(query, rows);
  const key = JSON.stringify(query);
  const last = useRef(key);
  // The selection may no longer be visible.
  if (last.current !== key) {
    last.current = key;
    if (selected.size > 0) setSelected(new Set());
  }

  function look(changes: Readonly<Record<string, string | undefined>>): void {
    replaceAddress(addressOf(route as Route, { search: { ...Object.fromEntries(search), ...changes } }));
  }

  const isAll = key === JSON.stringify(queryOf(kind, new URLSearchParams()));
  return (
    <>
      <Filters kind={kind} search={search} total={list.total} onChange={look} />
      {list.error !== null && (
        <Note tone="danger" action={{ word: t('common.tryAgain'), run: list.retry }}>
          {t('common.unread')} {reasonOf(list.error)}
        </Note>
      )}
      {selected.size > 0 && (
        <SelectionBar
          query={query}
          selected={selected}
          total={list.total ?? 0}
          onSelect={setSelected}
          onRemove={() => onRemoveMany([...selected])}
        />
      )}
      {list.total === undefined ? (
        list.error === null && <Skeletons widths={[700, 620, 660, 640]} />
      ) : list.total === 0 ? (
        <div className={styles.empty}>
          <strong>{kind === 'guests' && !isAll ? t('people.list.empty.users') : t(`people.list.empty.${kind}`)}</strong>
          <p>{kind === 'guests' && !isAll ? t('people.list.emptyHelp.users') : t(`people.list.emptyHelp.${kind}`)}</p>
        </div>
      ) : (
        <PeopleTable
          kind={kind}
          list={list}
          total={list.total}
          sort={query.sort ?? 'name'}
          order={query.order ?? 'asc'}
          selected={selected}
          onSelect={setSelected}
          onSort={(sort, order) => look({ sort, order })}
          onRows={setRows}
          onAct={onAct}
        />
      )}
    </>
  );
}

function queryOf(kind: Kind, search: URLSearchParams): AccountQuery {
  const text = search.get('q') ?? '';
  const [group, role] = [numberOf(search.get('group')), numberOf(search.get('role'))];
  const state = STATES.find((name) => name === search.get('state'));
  return {
    ...(kind === 'administrators' ? { state: 'administrators' } : { kind: kind === 'guests' ? 'guests' : 'people' }),
    ...(text === '' ? {} : { text: text.slice(0, 200) }),
    ...(group === null ? {} : { group }),
    ...(role === null ? {} : { role }),
    ...(state === undefined || kind === 'administrators' ? {} : { state }),
    sort: SORTS.find((name) => name === search.get('sort')) ?? 'name',
    order: search.get('order') === 'desc' ? 'desc' : 'asc',
  };
}

function numberOf(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
