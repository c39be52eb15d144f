import { Switch } from '@mantine/core';
import { useId } from 'react';
import styles from './switch-row.module.css';

interface SwitchRowProps {
  readonly label: string;
  readonly help: string;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function SwitchRow({ label, help, checked, disabled = false, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className={styles.row}>
      <div>
        <label htmlFor={id}>{label}</label>
        <p className={styles.help} id={`${id}-help`}>
          {help}
        </p>
      </div>
      <Switch
        id={id}
        checked={checked}
        disabled={disabled}
        aria-describedby={`${id}-help`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  );
}
