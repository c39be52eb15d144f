import { useConnection } from './control/control.tsx';
import { RunningPanel } from './running-panel.tsx';
import { Locked } from './states/locked.tsx';

/** What a browser shows. */
export function BrowserPanel() {
  const connection = useConnection();
  return connection.kind === 'locked' ? <Locked message={connection.message} /> : <RunningPanel />;
}
