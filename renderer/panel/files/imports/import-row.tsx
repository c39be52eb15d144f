import { Button, Progress } from '@mantine/core';
import { useState } from 'react';
import type { Output } from '../../../../server/control/contract/contract.ts';
import { useControl, useControlChange } from '../../../control/control.tsx';
import { t } from '../../../messages/messages.ts';
import { ActionButton } from '../../../parts/buttons/action-button.tsx';
import { Dialog } from '../../../parts/dialogs/dialog.tsx';
import { FileName } from '../../../parts/file-name.tsx';
import form from '../../../parts/forms/form.module.css';
import { Loaded } from '../../../parts/loaded.tsx';
import { RefusalNote } from '../../../parts/note.tsx';
import { EmbeddedDate } from '../../../parts/relative-time.tsx';
import { StatusDot, type Tone } from '../../../parts/status-dot.tsx';
import { type NoteGroup, Notes } from './notes.tsx';
import styles from './photo-imports.module.css';

type FolderImport = Output<'imports.list'>['imports'][number];

const TONES = {
  waiting: 'off',
  running: 'good',
  done: 'good',
  cancelled: 'care',
  failed: 'danger',
} as const satisfies Readonly<Record<FolderImport['state'], Tone>>;

/** An import: how far it is, what it has stored, and its remarks. */
export function ImportRow({ record }: { readonly record: FolderImport }) {
  const { import: id, folder, account, target, folderAlbums, state, failure, created, total, handled } = record;
  const [isReportOpen, setReportOpen] = useState(false);
  const pause = useControlChange('imports.cancel', ['imports.list']);
  const resume = useControlChange('imports.resume', ['imports.list']);
  const isOpen = state === 'waiting' || state === 'running';
  const said = total === null ? t('photoImports.reading') : t('photoImports.progress', { handled, total });
  return (
    <li>
      <div className={styles.head}>
        <span className={styles.state}>
          <StatusDot tone={TONES[state]} />
          <strong>{t(`photoImports.states.${state}`)}</strong>
        </span>
        <EmbeddedDate at={created} />
      </div>
      <code>
        <FileName name={folder} />
      </code>
      <p className={styles.lead}>
        {t('photoImports.list.for', {
          name: account.name || account.username,
          folder: target || '/',
          folderAlbums: folderAlbums ? 'yes' : 'no',
        })}
      </p>
      {state !== 'done' && (total !== null || state === 'running') && (
        <>
          <Progress.Root size={8} className={styles.bar ?? ''}>
            <Progress.Section
              value={total === null || total === 0 ? 0 : Math.min(100, (100 * handled) / total)}
              aria-label={t(`photoImports.states.${state}`)}
              aria-valuetext={said}
            />
          </Progress.Root>
          <p className={styles.numbers}>{said}</p>
        </>
      )}
      {state === 'failed' && <p className={styles.failure}>{t('photoImports.failure', { failure: failure ?? '' })}</p>}
      {total !== null && (
        <p className={styles.numbers}>
          {t('photoImports.result', {
            stored: record.stored,
            known: record.known,
            inAlbums: record.inAlbums,
            undated: record.undated,
          })}
        </p>
      )}
      <RefusalNote error={pause.error ?? resume.error} />
      <div className={styles.buttons}>
        {isOpen && (
          <ActionButton
            variant="default"
            size="xs"
            isBusy={pause.isPending}
            onClick={() => pause.mutate({ import: id })}
          >
            {t('photoImports.pause')}
          </ActionButton>
        )}
        {(state === 'cancelled' || state === 'failed') && (
          <ActionButton size="xs" isBusy={resume.isPending} onClick={() => resume.mutate({ import: id })}>
            {t('photoImports.continue')}
          </ActionButton>
        )}
        {total !== null && (
          <Button
            variant="default"
            size="xs"
            aria-label={t('photoImports.reportOf', { folder })}
            onClick={() => setReportOpen(true)}
          >
            {t('photoImports.report')}
          </Button>
        )}
      </div>
      {isReportOpen && <Report id={id} onClose={() => setReportOpen(false)} />}
    </li>
  );
}

/** Entries of one reason that are shown. */
const SHOWN = 50;

function Report({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const report = useControl('imports.report', { import: id, limit: 1_000 });
  return (
    <Dialog title={t('photoImports.notes.title')} onClose={onClose}>
      <div className={form.form}>
        <Loaded query={report} widths={[360, 320]}>
          {({ total, notes }) =>
            total === 0 ? (
              <p>{t('photoImports.notes.none')}</p>
            ) : (
              <>
                <Notes groups={groupsOf(notes)} />
                {total > notes.length && <p>{t('photoImports.notes.more', { count: total - notes.length })}</p>}
              </>
            )
          }
        </Loaded>
        <div className={form.buttons}>
          <Button data-autofocus onClick={onClose}>
            {t('photoImports.close')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Those with most entries first. */
function groupsOf(notes: Output<'imports.report'>['notes']): NoteGroup[] {
  const all = new Map<string, string[]>();
  for (const { entry, reason } of notes) all.set(reason, [...(all.get(reason) ?? []), entry]);
  return [...all]
    .map(([reason, entries]) => ({ reason, count: entries.length, entries: entries.slice(0, SHOWN) }))
    .sort((a, b) => b.count - a.count);
}
