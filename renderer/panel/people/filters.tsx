import { Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useControl } from '../../control/control.tsx';
import { useKey } from '../../control/keys.ts';
import { keyTexts } from '../../texts/keys.ts';
import { peopleTexts } from '../../texts/people.ts';
import type { Kind } from './account.ts';
import styles from './people.module.css';

const words = peopleTexts.list;

/** Milliseconds after the last key. */
const CALM = 150;

interface FiltersProps {
  readonly kind: Kind;
  readonly search: URLSearchParams;
  readonly total: number | undefined;
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
}

export function Filters({ kind, search, total, onChange }: FiltersProps) {
  const shown = search.get('q') ?? '';
  const [text, setText] = useState(shown);
  const groups = useControl('groups.list', {});
  const roles = useControl('roles.list', {});
  const field = useRef<HTMLInputElement>(null);
  useKey('/', () => field.current?.focus(), { what: keyTexts.list.keys.search });
  useEffect(() => {
    if (text === shown) return;
    const timer = setTimeout(() => onChange({ q: text }), CALM);
    return () => clearTimeout(timer);
  });
  return (
    <div className={styles.filters}>
      <TextInput
        ref={field}
        className={styles.search ?? ''}
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        leftSection={<IconSearch size={18} stroke={1.75} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
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
