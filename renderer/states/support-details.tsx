import { IconChevronRight } from '@tabler/icons-react';
import type { StartFailure } from '../../server/control/contract/desktop.ts';
import { useInWindow } from '../control/desktop.tsx';
import { t } from '../messages/messages.ts';
import { CopyButton } from '../parts/buttons/copy-button.tsx';
import styles from './failed.module.css';

const ID = 'support-details';

export function DetailsButton({ isOpen, onToggle }: { readonly isOpen: boolean; readonly onToggle: () => void }) {
  return (
    <button type="button" className={styles.details} aria-expanded={isOpen} aria-controls={ID} onClick={onToggle}>
      <IconChevronRight size={16} stroke={1.75} aria-hidden />
      {t('failed.details')}
    </button>
  );
}

/** Details for support. */
export function DetailsText({ folder, failure }: { readonly folder: string; readonly failure: StartFailure }) {
  const { state } = useInWindow();
  const lines = [
    t('computer.version', { version: state.version, platform: state.platform }),
    `${failure.reason}: ${failure.message}`,
    folder,
    new Date().toISOString(),
  ];
  const text = lines.join('\n');
  return (
    <div className={styles.text} id={ID}>
      <pre>{text}</pre>
      <CopyButton text={text} name={t('failed.copyDetails')} size="xs" />
    </div>
  );
}
