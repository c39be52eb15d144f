import { BrowserWindow } from 'electron';

/**
 * On Windows only windows are told that the session ends, and this application mostly has none: one that is never shown and
 * never loads anything listens for it. The system waits some seconds for what was begun to end.
 */
export function onSessionEnd(quit: () => void): void {
  const listener = new BrowserWindow({ show: false, webPreferences: { sandbox: true, contextIsolation: true } });
  listener.on('query-session-end', (event) => {
    event.preventDefault();
    quit();
  });
  listener.on('session-end', quit);
}
