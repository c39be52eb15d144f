import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import { CopyButton } from '../parts/buttons/copy-button.tsx';
import { Heading } from '../parts/heading.tsx';
import { Mark } from '../parts/mark.tsx';
import styles from './state-screen.module.css';

interface StateScreenProps {
  readonly heading: string;
  readonly lead: ReactNode;
  /** Marks the logo with a problem. */
  readonly badge?: Icon;
  readonly children?: ReactNode;
}

/** A screen for a single message: Larder does not run, and what to do. */
export function StateScreen({ heading, lead, badge: Badge, children }: StateScreenProps) {
  return (
    <main className={styles.screen}>
      <div className={styles.mark}>
        <Mark size={64} />
        {Badge !== undefined && (
          <span className={styles.badge}>
            <Badge size={16} stroke={1.75} aria-hidden />
          </span>
        )}
      </div>
      <Heading title={heading} takesFocus />
      <p className={styles.lead} role="status">
        {lead}
      </p>
      {children !== undefined && <div className={styles.content}>{children}</div>}
    </main>
  );
}

/** The folder concerned, which can be copied. */
export function FolderPath({ folder, icon: Picture }: { readonly folder: string; readonly icon: Icon }) {
  return (
    <div className={styles.path}>
      <Picture size={20} stroke={1.75} aria-hidden />
      <code>{folder}</code>
      <CopyButton text={folder} name={t('failed.copyPath')} size="xs" />
    </div>
  );
}

export function Card({ children }: { readonly children: ReactNode }) {
  return <div className={styles.card}>{children}</div>;
}

export function Buttons({ children }: { readonly children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
