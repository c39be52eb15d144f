import { Anchor } from '@mantine/core';
import { IconAlertTriangle, IconBulb, IconFolderOff, IconFolderSearch, IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServerState } from '../../server/control/contract/window.ts';
import { useDesktopChange, useInWindow } from '../control/desktop.tsx';
import { t } from '../messages/messages.ts';
import { ActionButton } from '../parts/buttons/action-button.tsx';
import { PortForm } from '../parts/forms/port-form.tsx';
import { Note, reasonOf } from '../parts/note.tsx';
import { useSecondsUntil } from '../parts/relative-time.tsx';
import { StatusDot } from '../parts/status-dot.tsx';
import styles from './failed.module.css';
import { Buttons, Card, FolderPath, StateScreen } from './state-screen.tsx';
import { DetailsButton, DetailsText } from './support-details.tsx';

export type FailedServer = Extract<ServerState, { kind: 'failed' }>;

interface FailedProps {
  readonly folder: string;
  readonly server: FailedServer;
  /** Whether another try is in progress. */
  readonly isTrying: boolean;
}

/** The server did not start, or crashed: the folder, the problem, and what to do. */
export function Failed({ folder, server: { failure, retryIn }, isTrying }: FailedProps) {
  const again = useDesktopChange('desktop.start');
  const logs = useDesktopChange('desktop.openLogs');
  const choose = useChooseFolder();
  const [hasDetails, setDetails] = useState(false);
  const problem = choose.error ?? again.error ?? logs.error;
  const { reason } = failure;
  const isOfFolder = reason === 'missing' || reason === 'folder' || reason === 'in_use';
  return (
    <StateScreen heading={t(`failed.headings.${reason}`)} lead={failure.message} badge={IconAlertTriangle}>
      <Card>
        {reason !== 'port' && <FolderPath folder={folder} icon={IconFolderOff} />}
        <ul className={styles.advice}>
          <li>
            <IconBulb size={20} stroke={1.75} aria-hidden />
            <span>
              <strong>{failure.advice}</strong>
              {reason === 'missing' && <span>{t('failed.safe')}</span>}
            </span>
          </li>
          {isOfFolder && (
            <li>
              <IconFolderSearch size={20} stroke={1.75} aria-hidden />
              <span>
                <strong>{t('failed.elsewhere.title')}</strong>
                <span>{t('failed.elsewhere.help')}</span>
              </span>
            </li>
          )}
        </ul>
        {reason === 'port' && (
          <div className={styles.port}>
            <PortForm />
          </div>
        )}
      </Card>
      {problem !== null && <Note tone="danger">{reasonOf(problem)}</Note>}
      <Buttons>
        <ActionButton icon={IconRefresh} isBusy={isTrying || again.isPending} onClick={() => again.mutate({})}>
          {t('common.tryAgain')}
        </ActionButton>
        {reason !== 'port' && (
          <ActionButton variant="default" isBusy={choose.isPending} onClick={() => choose.mutate()}>
            {t('failed.choose')}
          </ActionButton>
        )}
      </Buttons>
      <div className={styles.foot}>
        <DetailsButton isOpen={hasDetails} onToggle={() => setDetails(!hasDetails)} />
        <div className={styles.right}>
          {reason === 'missing' && (
            <span className={styles.again}>
              <StatusDot tone="care" />
              {t('failed.looking')}
            </span>
          )}
          {retryIn !== null && <Countdown milliseconds={isTrying ? 0 : retryIn} key={String(isTrying)} />}
          <Anchor component="button" type="button" className={styles.logs ?? ''} onClick={() => logs.mutate({})}>
            {t('failed.openLogs')}
          </Anchor>
        </div>
      </div>
      {hasDetails && <DetailsText folder={folder} failure={failure} />}
    </StateScreen>
  );
}

/** Lets the user choose another folder, which is then served. */
function useChooseFolder() {
  const { desktop } = useInWindow();
  return useMutation({
    mutationFn: async () => {
      const look = await desktop.invoke('desktop.chooseFolder', {});
      if (look === null) return;
      if (look.kind === 'unusable')
        throw new Error(t('failed.unusable', { folder: look.folder, problem: look.problem ?? '' }));
      await desktop.invoke('desktop.useFolder', { folder: look.folder });
    },
  });
}

function Countdown({ milliseconds }: { readonly milliseconds: number }) {
  const [until] = useState(() => Date.now() + milliseconds);
  const seconds = useSecondsUntil(until);
  return (
    <span className={styles.again}>
      <StatusDot tone="care" />
      {t('failed.again', { seconds })}
    </span>
  );
}
