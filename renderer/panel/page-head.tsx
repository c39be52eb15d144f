import type { ReactNode } from 'react';
import { Heading } from '../parts/heading.tsx';
import { StatusDot, type Tone } from '../parts/status-dot.tsx';
import styles from './page-head.module.css';

interface PageHeadProps {
  readonly title: string;
  readonly lead: string;
  /** The colour of a dot before the title. */
  readonly tone?: Tone;
  /** On the right, or below the title on small screens. */
  readonly actions?: ReactNode;
  /** Uses the full width, for tables. */
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
