import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';

export interface Person {
  readonly id: number;
  readonly username: string;
}

interface PersonFieldProps {
  readonly label: string;
  readonly description: string;
  readonly chosen: Person | null;
  readonly error: string | null;
  readonly onChoose: (person: Person | null) => void;
}

/** Selects an account, searched by the server. */
export function PersonField({ label, description, chosen, error, onChoose }: PersonFieldProps) {
  const [typed, setTyped] = useState(chosen?.username ?? '');
  const [text] = useDebouncedValue(typed === chosen?.username ? '' : typed, 150);
  const found = useControl('accounts.list', { text: text.slice(0, 200), limit: 20 }, { keepsPrevious: true });
  const people = found.data?.accounts ?? [];
  const shown = chosen === null || people.some(({ id }) => id === chosen.id) ? people : [chosen, ...people];
  return (
    <Select
      label={label}
      description={description}
      searchable
      allowDeselect={false}
      data={shown.map(({ id, username }) => ({ value: String(id), label: username }))}
      // The server has filtered already.
      filter={({ options }) => options}
      nothingFoundMessage={t('reference.console.nobody')}
      value={chosen === null ? null : String(chosen.id)}
      searchValue={typed}
      onSearchChange={setTyped}
      error={error}
      onChange={(value) => {
        const person = shown.find(({ id }) => String(id) === value);
        onChoose(person === undefined ? null : { id: person.id, username: person.username });
      }}
    />
  );
}
