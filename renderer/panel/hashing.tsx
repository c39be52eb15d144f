import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useControl, useControlChange } from '../control/control.tsx';
import { t } from '../messages/messages.ts';
import { ActionButton } from '../parts/buttons/action-button.tsx';
import { RefusalNote } from '../parts/note.tsx';
import { size } from '../sizes.ts';
import styles from './overview.module.css';

/** What is left to be read in the background; nothing once all of it is, unless it is paused. */
export function Hashing() {
  const { data } = useControl('hashing.get', {}, { every: 5_000 });
  const update = useControlChange('settings.update', ['hashing.get', 'settings.get', 'activity.list']);
  if (data === undefined || data.state === 'done' || data.state === 'off') return null;
  const { state, files, bytes } = data;
  const isPaused = state === 'paused';
  if (files === 0 && !isPaused) return null;
  return (
    <div className={styles.hashing}>
      <div>
        <p className={styles.quiet}>{t(`overview.hashing.${state}`, { files, size: size(bytes) })}</p>
        <p className={styles.below}>{t('overview.hashing.help')}</p>
        <RefusalNote error={update.error} />
      </div>
      <ActionButton
        variant="default"
        icon={isPaused ? IconPlayerPlay : IconPlayerPause}
        isBusy={update.isPending}
        onClick={() => update.mutate({ hashingPaused: !isPaused })}
      >
        {t(isPaused ? 'overview.hashing.resume' : 'overview.hashing.pause')}
      </ActionButton>
    </div>
  );
}
