import { type App, type Session, shell, type WebContents } from 'electron';
import { WINDOW_ORIGIN } from '../server/control/contract/window.ts';

/**
 * What pages may not do, whatever is in them (Electron's security checklist): nothing is loaded but our own pages, no
 * permission is given, no page leads elsewhere, no window is opened.
 */

/** A session for our pages alone: in memory only, so that nothing of the household is left on the disk. */
export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayLoad(url) }));
  session.on('will-download', (event) => event.preventDefault());
}

function mayLoad(url: string): boolean {
  return (
    url.startsWith(`${WINDOW_ORIGIN}/`) || url.startsWith(`blob:${WINDOW_ORIGIN}/`) || url.startsWith('devtools://')
  );
}

export interface ContentsParts {
  /** Whether a link may be opened in the user's own browser. */
  mayOpen(url: string): boolean;
  /** What was refused, for the log. */
  onRefusal(what: string): void;
}

/** For all contents that ever come to be, also those that nobody meant to make. */
export function lockContents(app: App, parts: ContentsParts): void {
  app.on('web-contents-created', (_event, contents) => guard(contents, parts));
}

function guard(contents: WebContents, { mayOpen, onRefusal }: ContentsParts): void {
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && event.url.startsWith(`${WINDOW_ORIGIN}/`)) return;
    event.preventDefault();
    onRefusal(`the way to ${shortOf(event.url)}`);
  });
  contents.on('will-redirect', (event) => {
    event.preventDefault();
    onRefusal(`a redirect to ${shortOf(event.url)}`);
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (mayOpen(url)) void shell.openExternal(url);
    else onRefusal(`a window for ${shortOf(url)}`);
    return { action: 'deny' };
  });
}

/** Without what may be secret in it, for the log. */
export function shortOf(url: string): string {
  return URL.canParse(url) ? `${new URL(url).protocol}//${new URL(url).host}${new URL(url).pathname}` : 'no address';
}

/**
 * Links that lead out of the window go to the user's own browser, and only to the household's own server.
 * @param addresses of the server that runs
 */
export function isOwnAddress(url: string, addresses: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, origin, username, password } = new URL(url);
  if (protocol !== 'https:' || username !== '' || password !== '') return false;
  return addresses.some((address) => new URL(address).origin === origin);
}
