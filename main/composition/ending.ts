import { EventEmitter } from 'node:events';
import { app, dialog, powerMonitor } from 'electron';
import { t } from '../messages/messages.ts';
import { onSessionEnd } from '../session-end.ts';
import type { Base } from './base.ts';
import type { Server } from './server.ts';

/** Milliseconds for the windows to close once the server has stopped. */
const CLOSE_TIMEOUT = 5_000;

export type Ending = ReturnType<typeof openEnding>;

/** The end of the application, whoever asks for it: the user, the system, or an error that nothing has caught. */
export function openEnding({ platform, logs, unexpected }: Base, { process: server }: Pick<Server, 'process'>) {
  const events = new EventEmitter<{ 'server-ended': [] }>();
  let phase: 'no' | 'stopping' | 'over' = 'no';
  let isWantedAgain = false;

  /** Lets requests in progress finish; then the application ends. */
  function quit(): void {
    if (phase !== 'no') return;
    phase = 'stopping';
    void server.end().finally(() => {
      phase = 'over';
      events.emit('server-ended');
      if (isWantedAgain) unexpected.relaunch();
      app.quit();
      // Ends even if something still keeps the process alive.
      setTimeout(() => app.exit(0), CLOSE_TIMEOUT);
    });
  }

  app.on('before-quit', (event) => {
    if (phase === 'over') return;
    event.preventDefault();
    quit();
  });
  // The server continues without windows.
  app.on('window-all-closed', () => undefined);
  app.on('second-instance', () => {
    // The user started it again before it had ended.
    if (phase !== 'no') isWantedAgain = true;
  });
  // Electron passes the event, but its type lacks it.
  powerMonitor.on('shutdown', (...[event]: { preventDefault?(): void }[]) => {
    event?.preventDefault?.();
    quit();
  });
  unexpected.endWith((isRestart) => {
    if (isRestart) isWantedAgain = true;
    else dialog.showErrorBox(t('ended.title'), t('ended.body', { folder: logs }));
    quit();
  });

  return {
    quit,
    hasBegun: () => phase !== 'no',
    /** Calls the listener when the server has ended, and the windows are about to close. */
    onServerEnded: (listener: () => void) => void events.once('server-ended', listener),
    /** Listens for the end of the session where only windows are told of it. */
    start() {
      if (platform === 'win32') onSessionEnd(quit);
    },
  };
}
