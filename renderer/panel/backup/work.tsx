import { Progress } from '@mantine/core';
import { useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import { Section } from '../../parts/section.tsx';
import { size } from '../../sizes.ts';
import type { BackupState } from './backup.ts';
import { useTimeLeft } from './use-time-left.ts';
import styles from './work.module.css';

interface WorkProps {
  readonly progress: BackupState['progress'];
  readonly onCancel: () => void;
}

/** The progress of a backup job, which can be cancelled. */
export function Work({ progress, onCancel }: WorkProps) {
  const cancel = useControlChange('backup.cancel', []);
  const { what, phase, doneFiles, doneBytes, totalBytes } = progress;
  const left = useTimeLeft(progress);
  const name = phase === null ? t('backup.progress.begins') : t(`backup.progress.phases.${phase}`);
  const share = totalBytes === null || totalBytes === 0 ? null : Math.min(100, (100 * doneBytes) / totalBytes);
  return (
    <Section title={name} aside={left}>
      <RefusalNote error={cancel.error} />
      {share !== null && (
        <Progress.Root size={8} className={styles.bar ?? ''}>
          <Progress.Section
            value={share}
            aria-label={name}
            aria-valuetext={t('common.percent', { share: Math.round(share) })}
          />
        </Progress.Root>
      )}
      <p className={styles.numbers}>
        {doneFiles > 0 && <span>{t('backup.progress.files', { count: doneFiles })}</span>}
        {doneBytes > 0 && (
          <span>
            {totalBytes === null
              ? size(doneBytes)
              : t('backup.progress.bytes', { done: size(doneBytes), total: size(totalBytes) })}
          </span>
        )}
      </p>
      {what !== 'removal' && (
        <div className={styles.foot}>
          <ActionButton
            variant="default"
            isBusy={cancel.isPending}
            onClick={() => {
              onCancel();
              cancel.mutate({});
            }}
          >
            {t('backup.progress.cancel')}
          </ActionButton>
        </div>
      )}
    </Section>
  );
}
