import { Select } from '@mantine/core';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import styles from '../../parts/forms/filters.module.css';
import { SearchField } from '../../parts/forms/search-field.tsx';
import type { Kind } from './account.ts';

const STATES = ['active', 'deactivated', 'expired'] as const;

interface FiltersProps {
  readonly kind: Kind;
  readonly search: URLSearchParams;
  readonly total: number | undefined;
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
}

export function Filters({ kind, search, total, onChange }: FiltersProps) {
  const groups = useControl('groups.list', {});
  const roles = useControl('roles.list', {});
  return (
    <div className={styles.filters}>
      <SearchField
        className={styles.search}
        label={t('people.list.search')}
        value={search.get('q') ?? ''}
        onChange={(q) => onChange({ q })}
      />
      {kind === 'users' && (
        <>
          <Choice
            label={t('people.list.group')}
            value={search.get('group')}
            data={(groups.data?.groups ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={(group) => onChange({ group })}
          />
          <Choice
            label={t('people.list.role')}
            value={search.get('role')}
            data={(roles.data?.roles ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={(role) => onChange({ role })}
          />
        </>
      )}
      {kind !== 'administrators' && (
        <Choice
          label={t('people.list.state')}
          value={search.get('state')}
          data={STATES.map((value) => ({ value, label: t(`people.list.states.${value}`) }))}
          onChange={(state) => onChange({ state })}
        />
      )}
      <span className={styles.count} role="status">
        {total === undefined ? '' : t(`people.list.count.${kind}`, { count: total })}
      </span>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | null;
  readonly data: { value: string; label: string }[];
  readonly onChange: (value: string | undefined) => void;
}

function Choice({ label, value, data, onChange }: ChoiceProps) {
  return (
    <Select
      className={styles.choice ?? ''}
      label={label}
      placeholder={t('people.list.any')}
      clearable
      data={data}
      value={value}
      onChange={(picked) => onChange(picked ?? undefined)}
    />
  );
}
