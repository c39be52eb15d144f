import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useControl, useTransport } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { fullName } from './account.ts';

/** Most people offered. */
const OFFERED = 30;
/** People whose names are requested at once: the limit of the contract. */
const BATCH = 500;

interface PeoplePickerProps {
  readonly label: ReactNode;
  readonly description?: string;
  /** `u<id>` and `g<id>`. */
  readonly value: readonly string[];
  /** Whether groups can be selected as well. */
  readonly withGroups?: boolean;
  readonly disabled?: boolean;
  readonly onChange: (value: string[]) => void;
}

/** Selects people, however many there are: matches of the typed text are offered. */
export function PeoplePicker(props: PeoplePickerProps) {
  const { label, description, value, withGroups = false, disabled = false, onChange } = props;
  const transport = useTransport();
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed, 150);
  const groups = useControl('groups.list', {});
  const found = useControl(
    'accounts.list',
    { text: text.slice(0, 200), sort: 'name', limit: OFFERED },
    { keepsPrevious: true },
  );
  // The names of selected people are requested in batches.
  const ids = value.flatMap((one) => (one.startsWith('u') ? [Number(one.slice(1))] : []));
  const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, n) =>
    ids.slice(n * BATCH, (n + 1) * BATCH),
  );
  const chosen = useQueries({
    queries: batches.map((batch) => ({
      queryKey: ['accounts.list', { ids: batch, limit: BATCH }],
      queryFn: () => transport.invoke('accounts.list', { ids: batch, limit: BATCH }),
      staleTime: 60_000,
    })),
  });
  const names = new Map<string, string>();
  if (withGroups)
    for (const group of groups.data?.groups ?? [])
      names.set(`g${group.id}`, t('people.limits.group', { name: group.name }));
  for (const { data } of [found, ...chosen]) {
    for (const person of data?.accounts ?? []) names.set(`u${person.id}`, `${fullName(person)} · ${person.username}`);
  }
  for (const one of value) if (!names.has(one)) names.set(one, one);
  return (
    <MultiSelect
      label={label}
      description={description}
      searchable
      // As the first field of a dialog it has the focus from the start, and an open list would cover the buttons.
      openOnFocus={false}
      disabled={disabled}
      searchValue={typed}
      onSearchChange={setTyped}
      data={[...names].map(([id, name]) => ({ value: id, label: name }))}
      value={[...value]}
      onChange={onChange}
      // People found by e-mail address need not match by name.
      filter={({ options, search }) =>
        search === typed && text === typed && search !== ''
          ? options.filter((option) => 'value' in option && isFound(option.value, option.label))
          : options
      }
    />
  );

  function isFound(id: string, name: string): boolean {
    const wasFound = found.data?.accounts.some((person) => `u${person.id}` === id) === true;
    return wasFound || name.toLowerCase().includes(typed.toLowerCase());
  }
}
