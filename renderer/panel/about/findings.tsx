import { IconAlertCircle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Output } from '../../../server/control/contract/contract.ts';
import { t } from '../../messages/messages.ts';
import styles from './about.module.css';

/** The doctor's findings, by urgency. */
export function Findings({ report: { ok, problems, notes, repaired } }: { readonly report: Output<'doctor'> }) {
  return (
    <div className={styles.report} role="status">
      {repaired !== undefined && (
        <Group
          icon={<IconCircleCheck size={18} stroke={1.75} className={styles.good} aria-hidden />}
          title={
            repaired.length === 0 ? t('about.doctor.nothing') : t('about.doctor.repaired', { count: repaired.length })
          }
          findings={repaired}
        />
      )}
      {ok ? (
        <Group
          icon={<IconCircleCheck size={18} stroke={1.75} className={styles.good} aria-hidden />}
          title={t('about.doctor.well')}
          findings={[]}
          help={t('about.doctor.wellHelp')}
        />
      ) : (
        <Group
          icon={<IconAlertCircle size={18} stroke={1.75} className={styles.danger} aria-hidden />}
          title={t('about.doctor.problems', { count: problems.length })}
          findings={problems}
        />
      )}
      {notes.length > 0 && (
        <Group
          icon={<IconInfoCircle size={18} stroke={1.75} className={styles.info} aria-hidden />}
          title={t('about.doctor.notes', { count: notes.length })}
          findings={notes}
        />
      )}
    </div>
  );
}

interface GroupProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly findings: readonly string[];
  readonly help?: string;
}

function Group({ icon, title, findings, help }: GroupProps) {
  return (
    <div>
      <h3 className={styles.group}>
        {icon}
        {title}
      </h3>
      {help !== undefined && <p className={styles.help}>{help}</p>}
      {findings.length > 0 && (
        <ul className={styles.findings}>
          {findings.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
