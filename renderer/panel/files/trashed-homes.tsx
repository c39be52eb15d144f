import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import table from '../../parts/table.module.css';
import { size } from '../../sizes.ts';
import styles from './files.module.css';

const STALE = ['homes.trash.list', 'homes.list', 'status', 'activity.list'] as const;

type Trashed = Output<'homes.trash.list'>['homes'][number];

/** Homes of accounts deleted together with their files, until they are deleted permanently. Hidden if there are none. */
export function TrashedHomes() {
  const list = useControl('homes.trash.list', {});
  const restore = useControlChange('homes.trash.restore', STALE);
  const [erasing, setErasing] = useState<Trashed | null>(null);
  if (list.data === undefined || list.data.homes.length === 0) return null;
  return (
    <section className={styles.section} aria-label={t('files.trashed.title')}>
      <h2>{t('files.trashed.title')}</h2>
      <RefusalNote error={restore.error} />
      <ul className={styles.trashed}>
        {list.data.homes.map((home) => (
          <li key={home.id}>
            <span>
              <code>{home.originalPath}</code>
              <span className={table.below}>
                {home.username === ''
                  ? t('files.trashed.noOwner')
                  : t('files.trashed.formerOwner', { username: home.username })}{' '}
                · {size(home.usedBytes)} · <EmbeddedDate at={home.deletedAt} />
              </span>
            </span>
            <span className={styles.buttons}>
              <Button
                variant="default"
                size="xs"
                aria-label={t('files.trashed.restoreOf', { path: home.originalPath })}
                onClick={() => restore.mutate({ id: home.id })}
              >
                {t('files.trashed.restore')}
              </Button>
              <Button
                variant="default"
                size="xs"
                className={table.danger ?? ''}
                aria-label={t('files.trashed.eraseOf', { path: home.originalPath })}
                onClick={() => setErasing(home)}
              >
                {t('files.trashed.erase')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {erasing !== null && <Erase home={erasing} onClose={() => setErasing(null)} />}
    </section>
  );
}

function Erase({ home, onClose }: { readonly home: Trashed; readonly onClose: () => void }) {
  const erase = useControlChange('homes.trash.delete', STALE);
  return (
    <Confirm
      title={t('files.trashed.eraseTitle', { path: home.originalPath })}
      loss={t('files.trashed.eraseLoss', { amount: size(home.usedBytes) })}
      label={t('files.trashed.erase')}
      keep={t('files.trashed.keep')}
      change={erase}
      onDo={() => erase.mutate({ id: home.id }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
