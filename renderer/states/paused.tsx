import { Button } from '@mantine/core';
import { IconFolder, IconPlayerPlay } from '@tabler/icons-react';
import { useDesktopChange } from '../control/desktop.tsx';
import { ActionButton } from '../parts/buttons/action-button.tsx';
import { RefusalNote } from '../parts/note.tsx';
import { texts } from '../texts/texts.ts';
import { Buttons, Card, FolderPath, StateScreen } from './state-screen.tsx';

const words = texts.paused;

export function Paused({ folder }: { readonly folder: string }) {
  const start = useDesktopChange('desktop.start');
  const open = useDesktopChange('desktop.openFolder');
  const quit = useDesktopChange('desktop.quit');
  return (
    <StateScreen heading={words.heading} lead={words.lead}>
      <Card>
        <FolderPath folder={folder} icon={IconFolder} />
      </Card>
      <RefusalNote error={start.error ?? open.error ?? quit.error} />
      <Buttons>
        <ActionButton icon={IconPlayerPlay} isBusy={start.isPending} onClick={() => start.mutate({})}>
          {words.start}
        </ActionButton>
        <Button variant="default" onClick={() => open.mutate({})}>
          {words.folder}
        </Button>
        <Button variant="default" onClick={() => quit.mutate({})}>
          {texts.quit}
        </Button>
      </Buttons>
    </StateScreen>
  );
}
