import { t } from '../messages/messages.ts';
import { CopyButton } from './buttons/copy-button.tsx';
import styles from './forms/form.module.css';

/** A value to be copied. */
export function ShownValue({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <span className={styles.label}>{label}</span>
      <div className={styles.value}>
        <code>{value}</code>
        <CopyButton text={value} name={t('common.copyOf', { what: label })} size="xs" />
      </div>
    </div>
  );
}
