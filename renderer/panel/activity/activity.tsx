import { Select, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import type { Input } from '../../../server/control/contract/contract.ts';
import { type EntryGroup, groupEntries, isGroup } from '../../../server/lib/activity-groups.ts';
import { useControl, useTransport } from '../../control/control.tsx';
import { addressOf, usePlace } from '../../control/routes.ts';
import { replaceAddress } from '../../control/unsaved-changes.ts';
import { usePages } from '../../control/use-pages.ts';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import filters from '../../parts/forms/filters.module.css';
import { SearchField } from '../../parts/forms/search-field.tsx';
import { Note, RefusalNote, reasonOf } from '../../parts/note.tsx';
import { Skeletons } from '../../parts/skeletons.tsx';
import { clockOf, exactTime, relativeDay } from '../../relative-time.ts';
import { useSaveAs } from '../../save-as.ts';
import { PageHead } from '../page-head.tsx';
import { SettingNumberInline } from '../settings/setting-inline.tsx';
import styles from './activity.module.css';
import { type Entry, iconOf, isFailure, Sentence } from './entry.tsx';
import { exportActivity } from './export.ts';
import { GroupLine } from './group-line.tsx';

type Query = Input<'activity.list'>;
const GROUPS = ['security', 'files', 'sharing', 'system'] as const;

/** The activity log, by day, newest first. */
export function Activity() {
  const { search } = usePlace();
  const query = queryOf(search);
  const pages = usePages('activity.list', query, { every: 10_000 });
  const settings = useControl('settings.get', {});
  const entries = pages.data?.pages.flatMap((page) => page.entries);
  const look = (changes: Readonly<Record<string, string | undefined>>) =>
    replaceAddress(addressOf('activity', { search: { ...Object.fromEntries(search), ...changes } }));
  return (
    <>
      <PageHead
        title={t('activity.title')}
        lead={
          settings.data === undefined
            ? t('activity.lead')
            : t('activity.leadKept', { days: settings.data.activityDays })
        }
        actions={<Export query={query} />}
        isWide
      />
      <Filters search={search} onChange={look} />
      {pages.error !== null && (
        <Note tone="danger" action={{ word: t('common.tryAgain'), run: () => pages.refetch() }}>
          {t('common.unread')} {reasonOf(pages.error)}
        </Note>
      )}
      {entries === undefined ? (
        pages.error === null && <Skeletons widths={[600, 520, 580, 480]} />
      ) : entries.length === 0 ? (
        <div className={styles.empty}>
          <strong>{t('activity.none')}</strong>
          <p>{t('activity.noneHelp')}</p>
        </div>
      ) : (
        <Days entries={entries} />
      )}
      {pages.hasNextPage && (
        <div className={styles.more}>
          <ActionButton variant="default" isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            {t('common.more')}
          </ActionButton>
        </div>
      )}
      <SettingNumberInline
        name="activityDays"
        label={t('activity.kept')}
        help={t('activity.keptHelp')}
        unit={t('activity.keptUnit')}
        min={1}
        max={3_650}
      />
    </>
  );
}

/** Converts the address to a query of the contract. */
function queryOf(search: URLSearchParams): Query {
  const text = (search.get('q') ?? '').slice(0, 200);
  const group = GROUPS.find((name) => name === search.get('group'));
  const person = search.get('person') ?? '';
  const day = (name: string, days = 0) => {
    const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(search.get(name) ?? '');
    if (match === null) return undefined;
    // Days in the viewer's time zone.
    return new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + days).toISOString();
  };
  const [since, until] = [day('since'), day('until', 1)];
  return {
    limit: 100,
    ...(text === '' ? {} : { text }),
    ...(group === undefined ? {} : { group }),
    ...(/^\d{1,15}$/.test(person) ? { accountId: Number(person) } : {}),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

interface FiltersProps {
  readonly search: URLSearchParams;
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const [name, setName] = useState('');
  const person = search.get('person');
  const found = useControl(
    'accounts.list',
    { text: name.slice(0, 200), sort: 'name', limit: 30 },
    { keepsPrevious: true },
  );
  const chosen = useControl('accounts.get', { id: Number(person) }, { isNeeded: person !== null });
  const people = new Map((found.data?.accounts ?? []).map((one) => [String(one.id), `${one.name} · ${one.username}`]));
  if (person !== null && chosen.data !== undefined) people.set(person, `${chosen.data.name} · ${chosen.data.username}`);
  return (
    <div className={filters.filters}>
      <SearchField
        className={filters.search}
        label={t('activity.search')}
        value={search.get('q') ?? ''}
        onChange={(q) => onChange({ q })}
      />
      <Select
        className={filters.choice ?? ''}
        label={t('activity.person')}
        placeholder={t('activity.anyone')}
        searchable
        clearable
        searchValue={name}
        onSearchChange={setName}
        filter={({ options }) => options}
        data={[...people].map(([value, label]) => ({ value, label }))}
        value={person}
        onChange={(picked) => onChange({ person: picked ?? undefined })}
      />
      <Select
        className={filters.choice ?? ''}
        label={t('activity.what')}
        placeholder={t('activity.everything')}
        clearable
        data={GROUPS.map((value) => ({ value, label: t(`activity.groups.${value}`) }))}
        value={search.get('group')}
        onChange={(picked) => onChange({ group: picked ?? undefined })}
      />
      <TextInput
        className={filters.date ?? ''}
        type="date"
        label={t('activity.since')}
        value={search.get('since') ?? ''}
        onChange={(event) => onChange({ since: event.currentTarget.value })}
      />
      <TextInput
        className={filters.date ?? ''}
        type="date"
        label={t('activity.until')}
        value={search.get('until') ?? ''}
        onChange={(event) => onChange({ until: event.currentTarget.value })}
      />
    </div>
  );
}

function Days({ entries }: { readonly entries: readonly Entry[] }) {
  const now = new Date();
  const days = new Map<string, Entry[]>();
  for (const entry of entries) {
    const day = relativeDay(new Date(entry.at), now);
    const others = days.get(day);
    if (others === undefined) days.set(day, [entry]);
    else others.push(entry);
  }
  return (
    <table className={styles.table} aria-label={t('activity.title')}>
      <thead className={styles.unseen}>
        <tr>
          <th scope="col">{t('activity.columns.time')}</th>
          <th scope="col">{t('activity.columns.what')}</th>
          <th scope="col">{t('activity.columns.by')}</th>
          <th scope="col">{t('activity.columns.from')}</th>
        </tr>
      </thead>
      {[...days].map(([day, ofDay]) => (
        <tbody key={day}>
          <tr>
            <th scope="rowgroup" colSpan={4} className={styles.day}>
              {day}
            </th>
          </tr>
          {groupEntries(ofDay).map((one) =>
            isGroup(one) ? <Group group={one} key={one.entries[0].id} /> : <Line entry={one} key={one.id} />,
          )}
        </tbody>
      ))}
    </table>
  );
}

function Group({ group }: { readonly group: EntryGroup<Entry> }) {
  const [newest] = group.entries;
  const at = new Date(newest.at);
  return (
    <tr className={styles.line}>
      <td className={styles.time}>
        <time dateTime={newest.at} title={exactTime(at)}>
          {clockOf(at)}
        </time>
      </td>
      <td>
        <GroupLine group={group}>
          {(entry) => (
            <>
              <time dateTime={entry.at} title={exactTime(new Date(entry.at))}>
                {clockOf(new Date(entry.at))}
              </time>{' '}
              <Sentence entry={entry} withOrigin={false} />
            </>
          )}
        </GroupLine>
      </td>
      <td className={styles.channel}>{newest.client ?? t(`activity.channels.${newest.channel}`)}</td>
      <td className={styles.from}>{newest.address ?? t('activity.nowhere')}</td>
    </tr>
  );
}

function Line({ entry }: { readonly entry: Entry }) {
  const Picture = iconOf(entry);
  const at = new Date(entry.at);
  return (
    <tr className={styles.line}>
      <td className={styles.time}>
        <time dateTime={entry.at} title={exactTime(at)}>
          {clockOf(at)}
        </time>
      </td>
      <td>
        <span className={styles.what}>
          <Picture size={18} stroke={1.75} aria-hidden className={isFailure(entry) ? styles.care : styles.icon} />
          <span>
            <Sentence entry={entry} withOrigin={false} />
          </span>
        </span>
      </td>
      <td className={styles.channel}>{entry.client ?? t(`activity.channels.${entry.channel}`)}</td>
      <td className={styles.from}>{entry.address ?? t('activity.nowhere')}</td>
    </tr>
  );
}

function Export({ query }: { readonly query: Query }) {
  const transport = useTransport();
  const saveAs = useSaveAs();
  const [count, setCount] = useState<number | null>(null);
  const [error, setError] = useState<Error | null>(null);
  async function save(): Promise<void> {
    setCount(0);
    setError(null);
    try {
      const csv = await exportActivity(transport, query, setCount);
      await saveAs(t('activity.file'), 'text/csv', csv);
    } catch (problem) {
      setError(problem instanceof Error ? problem : new Error(String(problem)));
    }
    setCount(null);
  }
  return (
    <>
      <RefusalNote error={error} />
      <ActionButton variant="default" icon={IconDownload} isBusy={count !== null} onClick={() => void save()}>
        {count === null || count === 0 ? t('activity.export') : t('activity.exporting', { count })}
      </ActionButton>
    </>
  );
}
