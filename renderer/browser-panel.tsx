import { useQueryClient } from '@tanstack/react-query';
import type { Output } from '../server/control/contract/contract.ts';
import { useConnection, useTransport } from './control/control.tsx';
import { RunningPanel } from './running-panel.tsx';
import { Locked } from './states/locked.tsx';
import { SignIn } from './states/sign-in.tsx';

/**
 * What a browser shows: on the computer that Larder runs on, the panel that a link has opened; on another, that of whoever has
 * signed in. Where a link had opened it, the panel says itself that it needs a fresh one: something may be typed in it.
 */
export function BrowserPanel() {
  const connection = useConnection();
  const { access } = useTransport();
  const wasOpen = useQueryClient().getQueryData<Output<'status'>>(['status', {}])?.hasOwner === true;
  if (connection.kind !== 'locked') return <RunningPanel />;
  if (access !== null) return <SignIn access={access} />;
  return wasOpen ? <RunningPanel /> : <Locked message={connection.message} />;
}
