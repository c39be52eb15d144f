import { IconLock } from '@tabler/icons-react';
import { CopyButton } from '../parts/buttons/copy-button.tsx';
import { texts } from '../texts/texts.ts';
import styles from './state-screen.module.css';
import { Card, StateScreen } from './state-screen.tsx';
import { useLinkCommand } from './use-link-command.ts';

const words = texts.locked;

/** In a browser, whose link was used or never there. @param message what the server said, where it said something */
export function Locked({ message }: { readonly message: string | null }) {
  const command = useLinkCommand();
  return (
    <StateScreen heading={words.heading} lead={message ?? words.lead} badge={IconLock}>
      <p>{words.again}</p>
      <Card>
        <div className={styles.path}>
          <code>{command}</code>
          <CopyButton text={command} what={command} size="xs" />
        </div>
      </Card>
    </StateScreen>
  );
}
