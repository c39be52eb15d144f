import type { Output } from '../../../server/control/contract/contract.ts';
import { useControl } from '../../control/control.tsx';
import { CopyIcon } from '../../parts/buttons/copy-button.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Mark } from '../../parts/mark.tsx';
import { EmbeddedDate } from '../../parts/moment.tsx';
import { aboutTexts } from '../../texts/about.ts';
import { texts } from '../../texts/texts.ts';
import { PageHead } from '../page-head.tsx';
import styles from './about.module.css';
import { Doctor } from './doctor.tsx';
import { Licences } from './licences.tsx';

const words = aboutTexts.facts;

/** Which Larder this is, how it is, and whose work is in it. */
export function About() {
  const about = useControl('about.get', {});
  return (
    <>
      <PageHead title={aboutTexts.title} lead={aboutTexts.lead} />
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
        <h2>
          {texts.product} {version}
        </h2>
        <dl className={styles.facts}>
          <dt>{words.folder}</dt>
          <dd className={styles.copied}>
            <code>{folder}</code>
            <CopyIcon text={folder} what={words.folder} />
          </dd>
          <dt>{words.since}</dt>
          <dd>
            <EmbeddedDate at={since} />
          </dd>
          <dt>{words.system}</dt>
          <dd>{system}</dd>
          <dt>{words.node}</dt>
          <dd>{node}</dd>
          <dt>{words.sqlite}</dt>
          <dd>{sqlite}</dd>
          {electron !== null && (
            <>
              <dt>{words.electron}</dt>
              <dd>{electron}</dd>
            </>
          )}
        </dl>
      </div>
    </section>
  );
}
