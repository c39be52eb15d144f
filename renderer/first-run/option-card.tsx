import { Radio } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import styles from './option-card.module.css';

/** A choice of one option; its cards are the children. */
export function OptionCards(props: { readonly value: string; readonly label: string; readonly children: ReactNode }) {
  return (
    <Radio.Group value={props.value} aria-label={props.label}>
      <div className={styles.options}>{props.children}</div>
    </Radio.Group>
  );
}

interface OptionCardProps<Value extends string> {
  readonly value: Value;
  readonly icon: Icon;
  readonly title: string;
  readonly help: string | null;
  readonly aside?: string | null;
  readonly onPick: (value: Value, byPointer: boolean) => void;
}

export function OptionCard<Value extends string>(props: OptionCardProps<Value>) {
  const { value, icon: Icon, title, help, aside = null, onPick } = props;
  const id = useId();
  return (
    <Radio.Card
      value={value}
      radius="lg"
      className={styles.option ?? ''}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-help`}
      // A click by keyboard has no count.
      onClick={(event) => onPick(value, event.detail > 0)}
      onKeyDown={(event) => {
        // As in a field, Enter on the selected option submits.
        if (event.key !== 'Enter' || event.currentTarget.ariaChecked !== 'true') return;
        event.preventDefault();
        event.currentTarget.form?.requestSubmit();
      }}
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
