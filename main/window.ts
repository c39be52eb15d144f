import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { app, BrowserWindow, Menu, nativeTheme, type Session } from 'electron';
import { WINDOW_ORIGIN } from '../server/control/contract/window.ts';
import { askBeforeClosing, type Closing } from './closing.ts';
import { t } from './messages/messages.ts';

const PRELOAD = fileURLToPath(new URL('./preload.cjs', import.meta.url));
/** Linux windows have their own icon, in case no theme has one. */
const ICON = fileURLToPath(new URL('../icons/linux/512x512.png', import.meta.url));
/** The background of the design, so that nothing flashes before the page is loaded. */
const CANVAS = { light: '#F5F4F0', dark: '#111310' };
/** Milliseconds after which the window is shown in any case, because some desktops never report that a page is ready. */
const SHOWN_AFTER = 2_000;
/** Milliseconds after which a page counts as stable, and may crash again. */
const WELL_AFTER = 60_000;
/** How often a crashed page is reloaded, before it stays closed until the window is opened again. */
const MAX_RELOADS = 3;

export interface PanelWindow {
  /** Creates it if needed, and brings it to the front. */
  show(): void;
  /** Null while it is closed, when it takes no memory. */
  readonly current: BrowserWindow | null;
  /** Tracks unsaved changes; null while it is closed. */
  readonly closing: Closing | null;
  /** Calls the listener whenever it was closed, after those before it. */
  onClose(listener: () => void): void;
}

interface PanelWindowParts {
  readonly session: Session;
  /** Whether the application ends, and closes it regardless of unsaved changes. */
  mustEnd(): boolean;
  /** For the log. */
  onTrouble(what: string): void;
}

/** The only window. The server does not depend on it. */
export function createPanelWindow(parts: PanelWindowParts): PanelWindow {
  let current: BrowserWindow | null = null;
  let closing: Closing | null = null;
  const events = new EventEmitter<{ closed: [] }>();

  function open(): BrowserWindow {
    const window = new BrowserWindow({
      ...{ width: 1180, height: 800, minWidth: 720, minHeight: 560 },
      title: t('app.name'),
      show: false,
      autoHideMenuBar: true,
      ...(process.platform === 'linux' ? { icon: ICON } : {}),
      backgroundColor: nativeTheme.shouldUseDarkColors ? CANVAS.dark : CANVAS.light,
      webPreferences: {
        preload: PRELOAD,
        session: parts.session,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        experimentalFeatures: false,
        webviewTag: false,
        navigateOnDragDrop: false,
        // Its dictionaries would be downloaded.
        spellcheck: false,
      },
    });
    current = window;
    closing = askBeforeClosing(window, parts.mustEnd);
    const appear = once(() => {
      if (!window.isDestroyed()) window.show();
    });
    window.once('ready-to-show', appear);
    setTimeout(appear, SHOWN_AFTER);
    window.once('closed', () => {
      if (current === window) {
        current = null;
        closing = null;
      }
      app.dock?.hide();
      events.emit('closed');
    });
    const { webContents } = window;
    let reloads = 0;
    let well: NodeJS.Timeout | undefined;
    webContents.once('did-finish-load', appear);
    webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason === 'clean-exit') return;
      parts.onTrouble(`the window's page ended: ${reason}`);
      clearTimeout(well);
      well = setTimeout(() => {
        reloads = 0;
      }, WELL_AFTER);
      reloads += 1;
      if (reloads <= MAX_RELOADS) webContents.reload();
    });
    webContents.on('context-menu', (_event, { isEditable, selectionText }) => {
      if (isEditable) editMenu().popup({ window });
      else if (selectionText !== '') Menu.buildFromTemplate([{ role: 'copy' }]).popup({ window });
    });
    window.loadURL(`${WINDOW_ORIGIN}/`).catch((error) => parts.onTrouble(`the window shows nothing: ${error.message}`));
    app.dock?.show();
    return window;
  }

  return {
    get current() {
      return current;
    },
    get closing() {
      return closing;
    },
    onClose: (listener) => void events.on('closed', listener),
    show() {
      if (current === null) {
        open();
        return;
      }
      // After too many crashes, opening the window tries again.
      if (current.webContents.isCrashed()) current.webContents.reload();
      if (current.isMinimized()) current.restore();
      current.show();
      current.focus();
    },
  };
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}

function editMenu(): Menu {
  return Menu.buildFromTemplate([
    ...[{ role: 'undo' as const }, { role: 'redo' as const }, { type: 'separator' as const }],
    ...[{ role: 'cut' as const }, { role: 'copy' as const }, { role: 'paste' as const }],
    { role: 'selectAll' },
  ]);
}
