import { Select } from '@mantine/core';
import { useControl } from '../../control/control.tsx';
import styles from '../../parts/forms/filters.module.css';
import { SearchField } from '../../parts/forms/search-field.tsx';
import { peopleTexts } from '../../texts/people.ts';
import type { Kind } from './account.ts';

const words = peopleTexts.list;

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
        label={words.search}
        value={search.get('q') ?? ''}
        onChange={(q) => onChange({ q })}
      />
      {kind === 'users' && (
        <>
          <Choice
            label={words.group}
            value={search.get('group')}
            data={(groups.data?.groups ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={(group) => onChange({ group })}
          />
          <Choice
            label={words.role}
            value={search.get('role')}
            data={(roles.data?.roles ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
            onChange={(role) => onChange({ role })}
          />
        </>
      )}
      {kind !== 'administrators' && (
        <Choice
          label={words.state}
          value={search.get('state')}
          data={Object.entries(words.states).map(([value, label]) => ({ value, label }))}
          onChange={(state) => onChange({ state })}
        />
      )}
      <span className={styles.count} role="status">
        {total === undefined ? '' : words.count[kind](total)}
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
      aria-label={label}
      placeholder={label}
      clearable
      data={data}
      value={value}
      onChange={(picked) => onChange(picked ?? undefined)}
    />
  );
}
