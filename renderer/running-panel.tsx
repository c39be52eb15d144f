import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useControl } from './control/control.tsx';
import { Done } from './first-run/done.tsx';
import { FirstRunSteps } from './first-run/first-run-steps.tsx';
import { type FirstRun, useFirstRun } from './first-run/use-first-run.ts';
import { t } from './messages/messages.ts';
import { Panel } from './panel/panel.tsx';
import { ActionButton } from './parts/buttons/action-button.tsx';
import { Toasts } from './parts/dialogs/toasts.tsx';
import { reasonOf } from './parts/note.tsx';
import { Buttons, StateScreen } from './states/state-screen.tsx';

/** The panel of a running server, or the first run while there is no owner. */
export function RunningPanel() {
  return <PanelWith firstRun={useFirstRun()} />;
}

/** The same, with a first run that outlives the server. */
export function PanelWith({ firstRun }: { readonly firstRun: FirstRun }) {
  const queries = useQueryClient();
  const status = useControl('status', {});
  // Data of one server must not be shown for the next.
  useEffect(() => () => queries.clear(), [queries]);
  if (status.data === undefined) {
    if (status.error === null) return null;
    return (
      <StateScreen heading={t('common.unanswered')} lead={reasonOf(status.error)} badge={IconAlertTriangle}>
        <Buttons>
          <ActionButton isBusy={status.isFetching} onClick={() => void status.refetch()}>
            {t('common.tryAgain')}
          </ActionButton>
        </Buttons>
      </StateScreen>
    );
  }
  if (firstRun.step === 'done') return <Done onOpen={firstRun.end} />;
  // The owner may exist a moment before the set-up is complete.
  if (!status.data.hasOwner || firstRun.isBusy) return <FirstRunSteps firstRun={firstRun} status={status.data} />;
  return (
    <Toasts>
      <Panel />
    </Toasts>
  );
}
