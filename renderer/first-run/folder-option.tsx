import { Radio } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { useId } from 'react';
import styles from './welcome.module.css';

interface FolderOptionProps<Value extends string> {
  readonly value: Value;
  readonly icon: Icon;
  readonly title: string;
  readonly help: string | null;
  readonly aside: string | null;
  readonly onPick: (value: Value, byPointer: boolean) => void;
}

export function FolderOption<Value extends string>(props: FolderOptionProps<Value>) {
  const { value, icon: Icon, title, help, aside, onPick } = props;
  const id = useId();
  return (
    <Radio.Card
      value={value}
      radius="lg"
      className={styles.option ?? ''}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-help`}
      // A click that a key makes has no count.
      onClick={(event) => onPick(value, event.detail > 0)}
    >
      <Icon size={24} stroke={1.75} aria-hidden />
      <span className={styles.words}>
        <span className={styles.title} id={`${id}-title`}>
          {title}
        </span>
        <span className={styles.help} id={`${id}-help`}>
          {help}
        </span>
      </span>
      {aside !== null && <span className={styles.aside}>{aside}</span>}
      <span className={styles.indicator} aria-hidden />
    </Radio.Card>
  );
}
