import type { ReactNode } from 'react';
import { Heading } from '../parts/heading.tsx';
import { StatusDot, type Tone } from '../parts/status-dot.tsx';
import styles from './page-head.module.css';

interface PageHeadProps {
  readonly title: string;
  readonly lead: string;
  /** Of a dot before the title. */
  readonly tone?: Tone;
  /** On the right, below the title where there is no room. */
  readonly actions?: ReactNode;
  /** Over the whole width, as tables are. */
  readonly isWide?: boolean;
}

export function PageHead({ title, lead, tone, actions, isWide = false }: PageHeadProps) {
  return (
    <div className={`${styles.head} ${isWide ? styles.isWide : ''}`}>
      <div className={styles.words}>
        <Heading className={styles.title ?? ''} title={title}>
          {tone !== undefined && <StatusDot tone={tone} large />}
          {title}
        </Heading>
        <p>{lead}</p>
      </div>
      {actions !== undefined && actions !== false && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
