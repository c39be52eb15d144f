import { type BrowserWindow, dialog } from 'electron';
import { t } from './messages/messages.ts';

/** Milliseconds that a page has to let its window be closed, or not. */
const PATIENCE = 5_000;
const KEEP = 0;
const DISCARD = 1;

export interface Closing {
  /** Whether something is typed in the page and not saved, as the page says. */
  isUnsaved: boolean;
  /** Asks in the system's dialog, once for all who want to know. */
  mayDiscard(): Promise<boolean>;
}

/**
 * Asks before a window is closed, or its page loaded again, where something is typed and not saved. By itself Electron does
 * not close such a window, and says nothing. The dialog blocks nobody: the server is looked after while it is open.
 * @param mustEnd whether the application ends, whatever is typed
 */
export function askBeforeClosing(window: BrowserWindow, mustEnd: () => boolean): Closing {
  const { webContents } = window;
  let isClosing = false;
  let isGivenUp = false;
  let patience: NodeJS.Timeout | undefined;
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

  /** The page has said neither yes nor no: it hangs. */
  async function onHang(): Promise<void> {
    isClosing = false;
    if (!closing.isUnsaved || mustEnd() || (await closing.mayDiscard())) destroy();
  }

  window.on('close', () => {
    isClosing = true;
    clearTimeout(patience);
    patience = setTimeout(() => void onHang(), PATIENCE);
  });
  window.once('closed', () => clearTimeout(patience));
  webContents.on('will-prevent-unload', (event) => {
    clearTimeout(patience);
    if (isGivenUp || mustEnd()) {
      event.preventDefault();
      return;
    }
    // The page stays until it is answered.
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
