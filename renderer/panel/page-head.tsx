import type { ReactNode } from 'react';
import { Heading } from '../parts/heading.tsx';
import { StatusDot } from '../parts/status-dot.tsx';
import styles from './page-head.module.css';

interface PageHeadProps {
  readonly title: string;
  readonly lead: string;
  /** A dot before the title: that it runs. */
  readonly isGood?: boolean;
  /** On the right, below the title where there is no room. */
  readonly actions?: ReactNode;
}

export function PageHead({ title, lead, isGood = false, actions }: PageHeadProps) {
  return (
    <div className={styles.head}>
      <div className={styles.words}>
        <Heading className={styles.title ?? ''} title={title}>
          {isGood && <StatusDot tone="good" large />}
          {title}
        </Heading>
        <p>{lead}</p>
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
