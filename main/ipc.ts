import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import { WINDOW_ORIGIN, type WindowEvent, type WindowReply, windowRequest } from '../server/control/contract/window.ts';
import { shortOf } from './lockdown.ts';
import { t } from './messages/messages.ts';

interface PageBridge {
  /** Sends an event to a subscribed page. */
  tell(contents: WebContents, event: WindowEvent): void;
}

interface PageBridgeParts {
  /** Whether these are the contents of one of our windows. */
  isOurs(contents: WebContents): boolean;
  answer(method: string, input: unknown): Promise<WindowReply>;
  /** A page subscribes to the state and its changes. */
  onSubscribe(contents: WebContents): void;
  /** A refused request, for the log. */
  onRefusal(what: string): void;
}

const REFUSED: WindowReply = { failure: { error: t('error.notAllowed'), code: 'not_allowed' } };
const UNREADABLE: WindowReply = { failure: { error: t('error.invalidRequest'), code: 'invalid_input' } };

/**
 * The only interface between pages and the application. The sender is checked before the request: it must be the main frame of
 * one of our windows, showing one of our pages.
 */
export function openPageBridge(parts: PageBridgeParts): PageBridge {
  const isTrusted = ({ sender, senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean =>
    parts.isOurs(sender) && senderFrame !== null && senderFrame.parent === null && isOwnPage(senderFrame.url);

  ipcMain.handle('larder:invoke', async (event, request: unknown): Promise<WindowReply> => {
    if (!isTrusted(event)) {
      parts.onRefusal(`a call from ${whoIs(event)}`);
      return REFUSED;
    }
    const call = windowRequest.safeParse(request);
    if (!call.success) return UNREADABLE;
    return parts.answer(call.data.method, call.data.input);
  });

  ipcMain.on('larder:subscribe', (event) => {
    if (isTrusted(event)) parts.onSubscribe(event.sender);
    else parts.onRefusal(`a subscription from ${whoIs(event)}`);
  });

  return {
    tell(contents, event) {
      if (!contents.isDestroyed()) contents.send('larder:event', event);
    },
  };
}

function whoIs({ senderFrame }: IpcMainEvent | IpcMainInvokeEvent): string {
  return senderFrame === null ? 'a frame that has gone' : shortOf(senderFrame.url);
}

function isOwnPage(url: string): boolean {
  return url === WINDOW_ORIGIN || url.startsWith(`${WINDOW_ORIGIN}/`);
}
