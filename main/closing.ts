import { type BrowserWindow, dialog } from 'electron';
import { t } from './messages/messages.ts';

/** Milliseconds that a page has to respond to the closing of its window. */
const TIMEOUT = 5_000;
const KEEP = 0;
const DISCARD = 1;

export interface Closing {
  /** Whether the page has unsaved changes, as it reports. */
  isUnsaved: boolean;
  /** Asks with a system dialog, once for all callers. */
  mayDiscard(): Promise<boolean>;
}

/**
 * Asks before a window with unsaved changes is closed or reloaded. By default, Electron silently refuses to close such a window.
 * The dialog does not block, so the server is supervised meanwhile.
 * @param mustEnd whether the application ends regardless of changes
 */
export function askBeforeClosing(window: BrowserWindow, mustEnd: () => boolean): Closing {
  const { webContents } = window;
  let isClosing = false;
  let isGivenUp = false;
  let hangTimer: NodeJS.Timeout | undefined;
  let asking: Promise<boolean> | null = null;

  const closing: Closing = {
    isUnsaved: false,
    mayDiscard() {
      asking ??= ask(window).finally(() => {
        asking = null;
      });
      return asking;
    },
  };

  function destroy(): void {
    if (!window.isDestroyed()) window.destroy();
  }

  function loadAgain(): void {
    if (window.isDestroyed()) return;
    isGivenUp = true;
    webContents.reload();
  }

  /** The page has not responded: it hangs. */
  async function onHang(): Promise<void> {
    isClosing = false;
    if (!closing.isUnsaved || mustEnd() || (await closing.mayDiscard())) destroy();
  }

  window.on('close', () => {
    isClosing = true;
    clearTimeout(hangTimer);
    hangTimer = setTimeout(() => void onHang(), TIMEOUT);
  });
  window.once('closed', () => clearTimeout(hangTimer));
  webContents.on('will-prevent-unload', (event) => {
    clearTimeout(hangTimer);
    if (isGivenUp || mustEnd()) {
      event.preventDefault();
      return;
    }
    // The page stays until the dialog is answered.
    const leave = isClosing ? destroy : loadAgain;
    isClosing = false;
    void closing.mayDiscard().then((may) => may && leave());
  });
  webContents.on('dom-ready', () => {
    isGivenUp = false;
    closing.isUnsaved = false;
  });
  return closing;
}

async function ask(window: BrowserWindow): Promise<boolean> {
  const asked = dialog.showMessageBox(window, {
    ...{
      type: 'question',
      title: t('app.name'),
      message: t('unsaved.question'),
      detail: t('unsaved.detail'),
      noLink: true,
    },
    ...{ buttons: [t('unsaved.keep'), t('unsaved.discard')], defaultId: KEEP, cancelId: KEEP },
  });
  const { response } = await asked.catch(() => ({ response: KEEP }));
  return response === DISCARD;
}
