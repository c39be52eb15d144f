import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl } from '../../control/control.tsx';
import { t } from '../../messages/messages.ts';
import { CopyIcon } from '../../parts/buttons/copy-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Mark } from '../../parts/mark.tsx';
import { EmbeddedDate } from '../../parts/relative-time.tsx';
import { PageHead } from '../page-head.tsx';
import styles from './about.module.css';
import { Doctor } from './doctor.tsx';
import { Licences } from './licences.tsx';

/** The version, the doctor and the licences. */
export function About() {
  const about = useControl('about.get', {});
  return (
    <>
      <PageHead title={t('about.title')} lead={t('about.lead')} />
      <Loaded query={about} widths={[320, 260, 380]}>
        {(known) => (
          <div className={styles.parts}>
            <Facts about={known} />
            <Doctor about={known} />
            <Licences packages={known.packages} />
          </div>
        )}
      </Loaded>
    </>
  );
}

function Facts({ about }: { readonly about: Output<'about.get'> }) {
  const { version, node, sqlite, electron, system, folder, since } = about;
  return (
    <section className={styles.product}>
      <Mark size={48} />
      <div>
        <h2>{t('about.report.product', { version })}</h2>
        <dl className={styles.facts}>
          <dt>{t('about.facts.folder')}</dt>
          <dd className={styles.copied}>
            <code>{folder}</code>
            <CopyIcon text={folder} name={t('about.facts.copyFolder')} />
          </dd>
          <dt>{t('about.facts.since')}</dt>
          <dd>
            <EmbeddedDate at={since} />
          </dd>
          <dt>{t('about.facts.system')}</dt>
          <dd>{system}</dd>
          <dt>{t('about.facts.node')}</dt>
          <dd>{node}</dd>
          <dt>{t('about.facts.sqlite')}</dt>
          <dd>{sqlite}</dd>
          {electron !== null && (
            <>
              <dt>{t('about.facts.electron')}</dt>
              <dd>{electron}</dd>
            </>
          )}
        </dl>
      </div>
    </section>
  );
}
