import { NumberInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { t } from '../../messages/messages.ts';
import styles from './user/user.module.css';

/** The units in megabytes, by name. */
const UNITS = { MB: 1, GB: 1_024, TB: 1_048_576 } as const;
type Unit = keyof typeof UNITS;

interface AmountInputProps {
  readonly label: ReactNode;
  readonly help: string;
  /** Megabytes; 0: no limit. */
  readonly value: number;
  readonly disabled?: boolean;
  readonly onChange: (megabytes: number) => void;
}

/** A number of megabytes, in the largest unit that gives a whole number. */
export function AmountInput({ label, help, value, disabled = false, onChange }: AmountInputProps) {
  const [unit, setUnit] = useState<Unit>(() => unitOf(value));
  return (
    <NumberInput
      label={label}
      description={help}
      min={0}
      max={2 ** 40 / UNITS[unit]}
      decimalScale={unit === 'MB' ? 0 : 3}
      hideControls
      disabled={disabled}
      value={value / UNITS[unit]}
      onChange={(given) => onChange(Math.round((Number(given) || 0) * UNITS[unit]))}
      rightSectionWidth={72}
      rightSection={
        <select
          className={styles.unit}
          aria-label={t('size.unit')}
          disabled={disabled}
          value={unit}
          onChange={(event) => {
            const next = event.currentTarget.value as Unit;
            setUnit(next);
            // Keeps the number and changes its unit.
            onChange(Math.round((value / UNITS[unit]) * UNITS[next]));
          }}
        >
          {Object.keys(UNITS).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      }
    />
  );
}

function unitOf(megabytes: number): Unit {
  if (megabytes === 0) return 'GB';
  return megabytes % UNITS.TB === 0 ? 'TB' : megabytes % UNITS.GB === 0 ? 'GB' : 'MB';
}
