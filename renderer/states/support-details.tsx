import { IconChevronRight } from '@tabler/icons-react';
import type { StartFailure } from '../../server/control/contract/desktop.ts';
import { useInWindow } from '../control/desktop.tsx';
import { CopyButton } from '../parts/buttons/copy-button.tsx';
import { texts } from '../texts/texts.ts';
import styles from './failed.module.css';

const ID = 'support-details';

export function DetailsButton({ isOpen, onToggle }: { readonly isOpen: boolean; readonly onToggle: () => void }) {
  return (
    <button type="button" className={styles.details} aria-expanded={isOpen} aria-controls={ID} onClick={onToggle}>
      <IconChevronRight size={16} stroke={1.75} aria-hidden />
      {texts.failed.details}
    </button>
  );
}

/** What somebody who helps wants to know first. */
export function DetailsText({ folder, failure }: { readonly folder: string; readonly failure: StartFailure }) {
  const { state } = useInWindow();
  const lines = [
    texts.computer.version(state.version, texts.computer.platforms[state.platform] ?? state.platform),
    `${failure.reason}: ${failure.message}`,
    folder,
    new Date().toISOString(),
  ];
  const text = lines.join('\n');
  return (
    <div className={styles.text} id={ID}>
      <pre>{text}</pre>
      <CopyButton text={text} what={texts.failed.copyDetails} size="xs" />
    </div>
  );
}
