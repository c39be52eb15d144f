import { BrowserWindow } from 'electron';

/**
 * Windows announces the end of a session only to windows, and this application usually has none: a hidden window listens for it.
 * The system waits some seconds for an orderly end.
 */
export function onSessionEnd(quit: () => void): void {
  const listener = new BrowserWindow({ show: false, webPreferences: { sandbox: true, contextIsolation: true } });
  listener.on('query-session-end', (event) => {
    event.preventDefault();
    quit();
  });
  listener.on('session-end', quit);
}
