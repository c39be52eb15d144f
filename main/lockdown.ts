import { type App, type Session, shell, type WebContents } from 'electron';
import { WINDOW_ORIGIN } from '../server/control/contract/window.ts';

/**
 * Restrictions of pages, whatever they contain (Electron's security checklist): only our own pages load, no permission is
 * granted, navigation and new windows are blocked.
 */

/** A session for our pages alone: in memory only, so that nothing of the household is stored on the disk. */
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

interface ContentsParts {
  /** Whether a link may be opened in the user's own browser. */
  mayOpen(url: string): boolean;
  /** A refused request, for the log. */
  onRefusal(what: string): void;
}

/** For all contents that are ever created, even unintended ones. */
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

/** Without parts that may be secret, for the log. */
export function shortOf(url: string): string {
  return URL.canParse(url) ? `${new URL(url).protocol}//${new URL(url).host}${new URL(url).pathname}` : 'no address';
}

/**
 * External links open in the user's own browser, and only if they lead to the household's own server.
 * @param addresses of the running server
 */
export function isOwnAddress(url: string, addresses: readonly string[]): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, origin, username, password } = new URL(url);
  if (protocol !== 'https:' || username !== '' || password !== '') return false;
  return addresses.some((address) => new URL(address).origin === origin);
}
