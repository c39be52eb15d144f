import { Button } from '@mantine/core';
import { IconFolder, IconPlayerPlay } from '@tabler/icons-react';
import { useDesktopChange } from '../control/desktop.tsx';
import { t } from '../messages/messages.ts';
import { ActionButton } from '../parts/buttons/action-button.tsx';
import { RefusalNote } from '../parts/note.tsx';
import { Buttons, Card, FolderPath, StateScreen } from './state-screen.tsx';

export function Paused({ folder }: { readonly folder: string }) {
  const start = useDesktopChange('desktop.start');
  const open = useDesktopChange('desktop.openFolder');
  const quit = useDesktopChange('desktop.quit');
  return (
    <StateScreen heading={t('paused.heading')} lead={t('paused.lead')}>
      <Card>
        <FolderPath folder={folder} icon={IconFolder} />
      </Card>
      <RefusalNote error={start.error ?? open.error ?? quit.error} />
      <Buttons>
        <ActionButton icon={IconPlayerPlay} isBusy={start.isPending} onClick={() => start.mutate({})}>
          {t('paused.start')}
        </ActionButton>
        <Button variant="default" onClick={() => open.mutate({})}>
          {t('paused.folder')}
        </Button>
        <Button variant="default" onClick={() => quit.mutate({})}>
          {t('common.quit')}
        </Button>
      </Buttons>
    </StateScreen>
  );
}
