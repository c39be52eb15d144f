import { useQueryClient } from '@tanstack/react-query';
import type { Output } from '../server/control/contract/contract.ts';
import { useConnection } from './control/control.tsx';
import { RunningPanel } from './running-panel.tsx';
import { Locked } from './states/locked.tsx';

/** What a browser shows. Where the panel was open, it says itself that it needs a fresh link: something may be typed in it. */
export function BrowserPanel() {
  const connection = useConnection();
  const wasOpen = useQueryClient().getQueryData<Output<'status'>>(['status', {}])?.hasOwner === true;
  return connection.kind === 'locked' && !wasOpen ? <Locked message={connection.message} /> : <RunningPanel />;
}
