import { Progress } from '@mantine/core';
import { size } from '../../amounts.ts';
import { useControlChange } from '../../control/control.tsx';
import { ActionButton } from '../../parts/buttons/action-button.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import { Section } from '../../parts/section.tsx';
import { backupTexts } from '../../texts/backup.ts';
import type { BackupState } from './backup.ts';
import { useTimeLeft } from './use-time-left.ts';
import styles from './work.module.css';

const words = backupTexts.progress;

interface WorkProps {
  readonly progress: BackupState['progress'];
  readonly onCancel: () => void;
}

/** What is being done with backups: how far it is, and the way to end it. */
export function Work({ progress, onCancel }: WorkProps) {
  const cancel = useControlChange('backup.cancel', []);
  const { what, phase, doneFiles, doneBytes, totalBytes } = progress;
  const left = useTimeLeft(progress);
  const name = phase === null ? words.begins : words.phases[phase];
  const share = totalBytes === null || totalBytes === 0 ? null : Math.min(100, (100 * doneBytes) / totalBytes);
  return (
    <Section title={name} aside={left}>
      <RefusalNote error={cancel.error} />
      {share !== null && (
        <Progress.Root size={8} className={styles.bar ?? ''}>
          <Progress.Section value={share} aria-label={name} aria-valuetext={`${Math.round(share)} %`} />
        </Progress.Root>
      )}
      <p className={styles.numbers}>
        {doneFiles > 0 && <span>{words.files(doneFiles)}</span>}
        {doneBytes > 0 && <span>{words.bytes(size(doneBytes), totalBytes === null ? null : size(totalBytes))}</span>}
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
            {words.cancel}
          </ActionButton>
        </div>
      )}
    </Section>
  );
}
