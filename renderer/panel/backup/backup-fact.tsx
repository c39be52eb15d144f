import { Anchor } from '@mantine/core';
import { useControl } from '../../control/control.tsx';
import { addressOf } from '../../control/routes.ts';
import { t } from '../../messages/messages.ts';
import { StatusDot, type Tone } from '../../parts/status-dot.tsx';
import { relativeTime } from '../../relative-time.ts';
import type { BackupState } from './backup.ts';
import styles from './backup-fact.module.css';

/** On the overview: whether everything is backed up, and what to do if not. */
export function BackupFact() {
  const state = useControl('backup.state', {}, { every: 60_000 });
  if (state.data === undefined) return null;
  const { tone, title, help } = situationOf(state.data, new Date());
  return (
    <section className={styles.fact} aria-label={t('backup.title')}>
      <StatusDot tone={tone} large />
      <div className={styles.words}>
        <strong>{title}</strong>
        {help !== '' && <span className={styles.help}>{help}</span>}
      </div>
      <Anchor href={addressOf('backups')}>{state.data.chosen ? t('backup.fact.open') : t('backup.fact.choose')}</Anchor>
    </section>
  );
}

interface Situation {
  readonly tone: Tone;
  readonly title: string;
  readonly help: string;
}

function situationOf(state: BackupState, now: Date): Situation {
  const { chosen, contents, place, placeThere, failure, newest, due, sameDisk } = state;
  const at = (time: string) => relativeTime(new Date(time), now);
  const next = due === null ? t('backup.fact.never') : t('backup.fact.next', { at: at(due) });
  if (!placeThere) return { tone: 'danger', title: t('backup.fact.away'), help: t('backup.away', { place }) };
  if (failure !== null)
    return { tone: 'danger', title: t('backup.fact.failed', { at: at(failure.at) }), help: failure.message };
  if (!chosen)
    return {
      tone: 'care',
      title: t('backup.fact.unchosen'),
      help: contents.files ? t('backup.fact.unchosenFiles') : t('backup.fact.unchosenWithout'),
    };
  if (newest === null) return { tone: 'care', title: t('backup.fact.none'), help: next };
  if (!contents.files || !newest.files)
    return { tone: 'care', title: t('backup.fact.without', { at: at(newest.at) }), help: missingFrom(contents) };
  return {
    tone: sameDisk ? 'care' : 'good',
    title: t('backup.fact.made', { at: at(newest.at) }),
    help: sameDisk ? t('backup.sameDisk') : next,
  };
}

/** What scheduled backups leave out, as a sentence. */
export function missingFrom({ files, history }: BackupState['contents']): string {
  if (!files) return t('backup.missing.files');
  return history ? t('backup.missing.nothing') : t('backup.missing.history');
}
