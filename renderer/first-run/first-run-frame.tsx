import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import shelves from '../../assets/shelves.svg';
import { t } from '../messages/messages.ts';
import { Heading } from '../parts/heading.tsx';
import { STEPS, type Step } from './answers.ts';
import styles from './first-run-frame.module.css';

interface FirstRunFrameProps {
  readonly step: Step;
  readonly heading: string;
  readonly lead: string;
  readonly children: ReactNode;
}

/** One step with its illustration, except for the last, which needs the space. */
export function FirstRunFrame({ step, heading, lead, children }: FirstRunFrameProps) {
  const isWide = step === 'done';
  return (
    <div className={`${styles.frame} ${isWide ? styles.wide : ''}`}>
      <main className={styles.column}>
        <Steps step={step} />
        <Heading title={heading} takesFocus />
        <p className={styles.lead}>{lead}</p>
        {children}
      </main>
      {!isWide && (
        <aside className={styles.niche}>
          <img src={shelves} width={408} height={480} alt="" />
          <p>{t('firstRun.shelves')}</p>
        </aside>
      )}
    </div>
  );
}

/** The buttons at the end of a step. */
export function FirstRunFoot({ children }: { readonly children: ReactNode }) {
  return <div className={styles.foot}>{children}</div>;
}

function Steps({ step }: { readonly step: Step }) {
  const now = STEPS.indexOf(step);
  return (
    <ol className={styles.steps} aria-label={t('firstRun.steps.label')}>
      {STEPS.map((name, index) => {
        const state = index === now ? styles.now : index < now ? styles.past : '';
        return (
          <li key={name} className={state} {...(index === now ? { 'aria-current': 'step' as const } : {})}>
            <span className={styles.number} aria-hidden>
              {index < now ? <IconCheck size={14} stroke={2} /> : index + 1}
            </span>
            <span className={styles.word}>{t(`firstRun.steps.${name}`)}</span>
          </li>
        );
      })}
    </ol>
  );
}
