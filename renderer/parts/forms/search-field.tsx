import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useKey } from '../../control/keys.ts';
import { t } from '../../messages/messages.ts';

/** Milliseconds after the last key press. */
const CALM = 150;

interface SearchFieldProps {
  readonly label: string;
  /** The present query. */
  readonly value: string;
  readonly className?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** The search field of a page: updates shortly after the last key press; `/` focuses it. */
export function SearchField({ label, value, className = '', onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  useKey('/', () => field.current?.focus(), { what: t('keys.actions.search') });
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), CALM);
    return () => clearTimeout(timer);
  });
  return (
    <TextInput
      ref={field}
      className={className}
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      leftSection={<IconSearch size={18} stroke={1.75} />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
