import { useConnection, useTransport } from './control/control.tsx';
import { RunningPanel } from './running-panel.tsx';
import { Locked } from './states/locked.tsx';
import { SignIn } from './states/sign-in.tsx';

/** What a browser shows. */
export function BrowserPanel() {
  const connection = useConnection();
  const { access } = useTransport();
  if (connection.kind !== 'locked') return <RunningPanel />;
  return access === null ? <Locked message={connection.message} /> : <SignIn access={access} />;
}
