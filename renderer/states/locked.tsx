import { IconLock } from '@tabler/icons-react';
import { t } from '../messages/messages.ts';
import { CopyButton } from '../parts/buttons/copy-button.tsx';
import styles from './state-screen.module.css';
import { Card, StateScreen } from './state-screen.tsx';
import { useLinkCommand } from './use-link-command.ts';

/** In a browser whose link was used or is missing. @param message of the server, if any */
export function Locked({ message }: { readonly message: string | null }) {
  const command = useLinkCommand();
  return (
    <StateScreen heading={t('locked.heading')} lead={message ?? t('locked.lead')} badge={IconLock}>
      <p>{t('locked.again')}</p>
      <Card>
        <div className={styles.path}>
          <code>{command}</code>
          <CopyButton text={command} name={t('common.copyOf', { what: command })} size="xs" />
        </div>
      </Card>
    </StateScreen>
  );
}
