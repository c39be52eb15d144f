import { Anchor } from '@mantine/core';
import { IconAlertCircle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { FolderState } from '../../server/control/contract/window.ts';
import { rich, t } from '../messages/messages.ts';
import styles from './welcome.module.css';

/** Whether the folder can be used. */
export function fits(look: FolderState, mustBeLarder: boolean): boolean {
  return mustBeLarder ? look.kind === 'larder' : look.kind !== 'unusable';
}

interface FolderDescriptionProps {
  /** Null while none is chosen. */
  readonly look: FolderState | null;
  /** Whether it is the folder in use. */
  readonly isUsed: boolean;
  readonly mustBeLarder: boolean;
  /** Whether an unusable folder was submitted. */
  readonly isRefused: boolean;
  readonly onChoose: () => void;
}

/** The state of the chosen folder, and a button to choose another. */
export function FolderDescription({ look, isUsed, mustBeLarder, isRefused, onChoose }: FolderDescriptionProps) {
  const other = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isRefused) other.current?.focus();
  }, [isRefused]);
  return (
    <div className={styles.word}>
      <p role="status">
        {look === null ? <NoFolder /> : <Look look={look} isUsed={isUsed} mustBeLarder={mustBeLarder} />}
      </p>
      {isRefused && (
        <p className={styles.unseen} role="alert">
          {t('firstRun.welcome.chooseOther')}
        </p>
      )}
      <Anchor component="button" type="button" ref={other} onClick={onChoose}>
        {look === null ? t('firstRun.welcome.choose') : t('firstRun.welcome.change')}
      </Anchor>
    </div>
  );
}

function NoFolder() {
  return (
    <>
      <IconInfoCircle className={styles.sign} size={18} stroke={1.75} aria-hidden />
      <span>{t('firstRun.welcome.noneChosen')}</span>
    </>
  );
}

interface LookProps {
  readonly look: FolderState;
  readonly isUsed: boolean;
  readonly mustBeLarder: boolean;
}

function Look({ look, isUsed, mustBeLarder }: LookProps) {
  const folder = <code>{look.folder}</code>;
  if (!isUsed && !fits(look, mustBeLarder)) {
    return (
      <>
        <IconAlertCircle className={`${styles.sign} ${styles.bad}`} size={18} stroke={1.75} aria-hidden />
        <span>
          {look.kind === 'unusable' ? (
            <>
              {folder} <span className={styles.bad}>{look.problem}</span>
            </>
          ) : (
            <span className={styles.bad}>{rich('firstRun.welcome.notLarder', { folder })}</span>
          )}
        </span>
      </>
    );
  }
  const Icon = look.kind === 'files' && !isUsed ? IconInfoCircle : IconCircleCheck;
  return (
    <>
      <Icon className={`${styles.sign} ${styles.fits}`} size={18} stroke={1.75} aria-hidden />
      <span>
        {isUsed
          ? rich('firstRun.welcome.inUse', { folder })
          : look.kind === 'unusable'
            ? folder
            : rich(`firstRun.welcome.look.${look.kind}`, { folder })}
      </span>
    </>
  );
}
