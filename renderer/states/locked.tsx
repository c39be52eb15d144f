import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useLate } from '../control/use-delay.ts';
import { t } from '../messages/messages.ts';
import { CopyButton } from '../parts/buttons/copy-button.tsx';
import styles from './state-screen.module.css';
import { Buttons, Card, StateScreen } from './state-screen.tsx';
import { useWaysIn } from './use-ways-in.ts';

/** Milliseconds after which the usual command is shown, although the server has not said which ways there are. */
const LATE = 3_000;

/** In a browser whose link was used or is missing. @param message of the server, if any */
export function Locked({ message }: { readonly message: string | null }) {
  const { command, signIn, isKnown } = useWaysIn();
  const isLate = useLate(LATE);
  if (!isKnown && !isLate) return null;
  const link = (
    <Card>
      <div className={styles.path}>
        <code>{command}</code>
        <CopyButton text={command} name={t('common.copyOf', { what: command })} size="xs" />
      </div>
    </Card>
  );
  if (signIn === null)
    return (
      <StateScreen heading={t('locked.heading')} lead={message ?? t('locked.lead')} badge={IconLock}>
        <p>{t('locked.again')}</p>
        {link}
      </StateScreen>
    );
  return (
    <StateScreen heading={t('locked.signInHeading')} lead={t('locked.signInLead')} badge={IconLock}>
      <Buttons>
        <Button component="a" href={`${signIn}${location.hash}`}>
          {t('locked.signIn')}
        </Button>
      </Buttons>
      <p className={styles.help}>{t('locked.certificate')}</p>
      <details className={styles.more}>
        <summary>{t('locked.orLink')}</summary>
        <p>{t('locked.again')}</p>
        {link}
      </details>
    </StateScreen>
  );
}
