import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useControl } from './control/control.tsx';
import { Done } from './first-run/done.tsx';
import { You } from './first-run/you.tsx';
import { Panel } from './panel/panel.tsx';
import { ActionButton } from './parts/action-button.tsx';
import { reasonOf } from './parts/note.tsx';
import { Toasts } from './parts/toasts.tsx';
import { Buttons, StateScreen } from './states/state-screen.tsx';
import { texts } from './texts/texts.ts';

/** Of a server that runs: the panel, once there is an owner. */
export function RunningPanel() {
  const queries = useQueryClient();
  const status = useControl('status', {});
  const [isNew, setNew] = useState(false);
  // What one server said is nothing that the next one would say.
  useEffect(() => () => queries.clear(), [queries]);
  if (status.data === undefined) {
    if (status.error === null) return null;
    return (
      <StateScreen heading={texts.unanswered} lead={reasonOf(status.error)} badge={IconAlertTriangle}>
        <Buttons>
          <ActionButton isBusy={status.isFetching} onClick={() => void status.refetch()}>
            {texts.tryAgain}
          </ActionButton>
        </Buttons>
      </StateScreen>
    );
  }
  if (isNew) return <Done onOpen={() => setNew(false)} />;
  if (status.data.hasOwner) {
    return (
      <Toasts>
        <Panel />
      </Toasts>
    );
  }
  return (
    <You
      onDone={() => {
        setNew(true);
        void queries.invalidateQueries({ queryKey: ['status'] });
      }}
    />
  );
}
