import type { Output } from '../../../../server/control/contract/contract.ts';
import { LOCALE, t } from '../../../messages/messages.ts';
import { Note } from '../../../parts/note.tsx';
import { size } from '../../../sizes.ts';
import { Notes } from './notes.tsx';
import styles from './photo-imports.module.css';

type Found = Output<'imports.examine'>;

/** Names of missing parts that are shown. */
const NAMED = 3;

/** What an import of a folder would bring, before it begins. */
export function ImportPlan({ found }: { readonly found: Found }) {
  const { archives, unpacked, services, files, bytes, albums, undated, missing, missingCount, notes } = found;
  const left = [found.quotaLeft, found.diskFree].filter((one) => one !== null);
  const room = left.length === 0 ? null : Math.min(...left);
  if (files === 0) {
    return (
      <>
        <Note tone="care">{t('photoImports.plan.nothing')}</Note>
        <Notes groups={notes} />
      </>
    );
  }
  const both = archives > 0 && unpacked > 0 ? 'yes' : 'no';
  const facts: readonly (readonly [string, string])[] = [
    [
      t('photoImports.plan.found'),
      [
        t('photoImports.plan.archives', { archives, unpacked, both }),
        ...services.map((service) => t('photoImports.plan.services', { service })),
      ].join(' · '),
    ],
    [t('photoImports.plan.files'), t('photoImports.plan.filesOf', { files, amount: size(bytes) })],
    [t('photoImports.plan.albums'), albums.toLocaleString(LOCALE)],
    [t('photoImports.plan.undated'), undated.toLocaleString(LOCALE)],
    ...(room === null ? [] : [[t('photoImports.plan.room'), size(room)] as const]),
  ];
  return (
    <section className={styles.plan} aria-label={t('photoImports.plan.title')}>
      <h3>{t('photoImports.plan.title')}</h3>
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {missingCount > 0 && (
        <Note tone="care">
          {t('photoImports.plan.missing', { count: missingCount, parts: missing.slice(0, NAMED).join(', ') })}
        </Note>
      )}
      {room !== null && room < bytes && (
        <Note tone="care">{t('photoImports.plan.noRoom', { amount: size(room) })}</Note>
      )}
      <Notes groups={notes} />
      <p className={styles.lead}>{t('photoImports.plan.known')}</p>
    </section>
  );
}
