import { Switch } from '@mantine/core';
import { useId } from 'react';
import { ChangedDot } from './changed-dot.tsx';
import styles from './switch-row.module.css';

interface SwitchRowProps {
  readonly label: string;
  readonly help: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  /** Marks it as changed and not saved. */
  readonly isChanged?: boolean;
  /** The validation error. */
  readonly error?: string | null;
  /** The name of the API's field. */
  readonly field?: string;
  readonly onChange: (checked: boolean) => void;
}

export function SwitchRow({
  label,
  help,
  checked,
  disabled = false,
  isChanged = false,
  error = null,
  field,
  onChange,
}: SwitchRowProps) {
  const id = useId();
  return (
    <div className={styles.row}>
      <div>
        <label htmlFor={id} {...(field === undefined ? {} : { title: field })}>
          {label}
          {isChanged && <ChangedDot />}
        </label>
        <p className={styles.help} id={`${id}-help`}>
          {help}
        </p>
        {error !== null && (
          <p className={styles.error} id={`${id}-error`} role="alert">
            {error}
          </p>
        )}
      </div>
      <Switch
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={error === null ? `${id}-help` : `${id}-help ${id}-error`}
        {...(error === null ? {} : { 'aria-invalid': true })}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  );
}
