import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { size } from '../../amounts.ts';
import { useControl, useControlChange } from '../../control/control.tsx';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { EmbeddedDate } from '../../parts/moment.tsx';
import { RefusalNote } from '../../parts/note.tsx';
import table from '../../parts/table.module.css';
import { filesTexts } from '../../texts/files.ts';
import styles from './files.module.css';

const words = filesTexts.trashed;
const STALE = ['homes.trash.list', 'homes.list', 'status', 'activity.list'] as const;

type Trashed = Output<'homes.trash.list'>['homes'][number];

/** Folders of accounts that were removed with their files, until they are deleted for good. Left out while there is none. */
export function TrashedHomes() {
  const list = useControl('homes.trash.list', {});
  const restore = useControlChange('homes.trash.restore', STALE);
  const [erasing, setErasing] = useState<Trashed | null>(null);
  if (list.data === undefined || list.data.homes.length === 0) return null;
  return (
    <section className={styles.section} aria-label={words.title}>
      <h2>{words.title}</h2>
      <RefusalNote error={restore.error} />
      <ul className={styles.trashed}>
        {list.data.homes.map((home) => (
          <li key={home.id}>
            <span>
              <code>{home.originalPath}</code>
              <span className={table.below}>
                {words.of(home.username)} · {size(home.usedBytes)} · <EmbeddedDate at={home.deletedAt} />
              </span>
            </span>
            <span className={styles.buttons}>
              <Button
                variant="default"
                size="xs"
                aria-label={words.restoreOf(home.originalPath)}
                onClick={() => restore.mutate({ id: home.id })}
              >
                {words.restore}
              </Button>
              <Button
                variant="default"
                size="xs"
                className={table.danger ?? ''}
                aria-label={words.eraseOf(home.originalPath)}
                onClick={() => setErasing(home)}
              >
                {words.erase}
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
      title={words.eraseTitle(home.originalPath)}
      loss={words.eraseLoss(size(home.usedBytes))}
      word={words.erase}
      keep={words.keep}
      change={erase}
      onDo={() => erase.mutate({ id: home.id }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
