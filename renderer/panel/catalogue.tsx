import type { ControlPayload } from '../../server/control/contract/events.ts';
import { useControl } from '../control/control.tsx';
import { t } from '../messages/messages.ts';
import { Section } from '../parts/section.tsx';
import { StatusDot } from '../parts/status-dot.tsx';
import { Hashing } from './hashing.tsx';
import styles from './overview.module.css';

type Home = ControlPayload<'catalogue.progress'>;

/** The progress of the catalogues: a single line if all is well. */
export function Catalogue({ homes }: { readonly homes: readonly Home[] }) {
  const known = useControl('homes.list', {}, { every: 15_000 });
  const nameOf = (id: string) =>
    known.data?.homes.find((home) => home.id === id)?.username ?? t('overview.homes.unnamed');
  const late = homes.filter(({ state }) => state !== 'ready');
  const ready = homes.filter(({ state }) => state === 'ready');
  // Of the catalogue itself: what a scan counted says nothing about later changes.
  const areReady = new Set(ready.map(({ id }) => id));
  const items = known.data?.homes.reduce((sum, home) => sum + (areReady.has(home.id) ? home.items : 0), 0);
  return (
    <Section title={t('overview.files')}>
      {homes.length === 0 && <p className={styles.quiet}>{t('overview.homes.none')}</p>}
      {ready.length > 0 && items !== undefined && (
        <p className={styles.quiet}>{t('overview.homes.ready', { items, homes: ready.length })}</p>
      )}
      {late.length > 0 && (
        <ul className={styles.homes} aria-label={t('overview.homes.caption')}>
          {late.map((home) => (
            <li key={home.id}>
              <StatusDot tone={home.state === 'offline' ? 'care' : 'good'} />
              <div>
                <strong>{nameOf(home.id)}</strong>
                <p>{progressOf(home)}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
      <Hashing />
    </Section>
  );
}

function progressOf({ state, items, folders }: Home): string {
  if (state === 'offline') return t('overview.homes.offline');
  return state === 'checking'
    ? t('overview.homes.checking', { items, folders })
    : t('overview.homes.reading', { items, folders });
}
