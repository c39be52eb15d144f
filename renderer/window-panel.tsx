import { useInWindow } from './control/desktop.tsx';
import { useFirstRun } from './first-run/use-first-run.ts';
import { Welcome } from './first-run/welcome.tsx';
import { PanelWith } from './running-panel.tsx';
import { Failed } from './states/failed.tsx';
import { Paused } from './states/paused.tsx';
import { Starting } from './states/starting.tsx';
import { Stopping } from './states/stopping.tsx';
import { useHeldFailure } from './states/use-held-failure.ts';

/** The window's content: the panel while the server runs, otherwise its state. */
export function WindowPanel() {
  const { state } = useInWindow();
  const { folder, server } = state;
  const held = useHeldFailure(server);
  const firstRun = useFirstRun();
  if (folder === null || firstRun.step === 'folder') return <Welcome firstRun={firstRun} />;
  // The last step of the first run may restart the server on another port, and shows the result itself.
  if (server.kind === 'running' || firstRun.isBusy) return <PanelWith key={folder} firstRun={firstRun} />;
  if (held !== null) return <Failed folder={folder} server={held} isTrying />;
  switch (server.kind) {
    case 'starting':
      return <Starting step={server.step} />;
    case 'stopping':
      return <Stopping />;
    case 'stopped':
      return <Paused folder={folder} />;
    case 'failed':
      return <Failed folder={folder} server={server} isTrying={false} />;
  }
}
