import { t } from '../messages/messages.ts';
import { createNotifications } from '../notifications.ts';
import { AFTER_ERROR } from '../unexpected.ts';
import type { Base } from './base.ts';
import type { Ending } from './ending.ts';
import type { Server } from './server.ts';
import type { Window } from './window.ts';

/** What the system tells the user when no window does. */
export function openNotices({ argv, settings }: Base, server: Server, ending: Ending, { panel }: Window) {
  const { notify } = createNotifications(panel.show);
  let isFailureNotified = false;

  server.events.on('state', ({ server: now }) => {
    if (now.kind === 'running') isFailureNotified = false;
    if (now.kind !== 'failed') return;
    if (panel.current === null && !isFailureNotified) notify(t('notification.failed.title'), now.failure.message);
    isFailureNotified = true;
  });
  panel.onClose(() => {
    if (ending.hasBegun() || settings.values.hasToldThatItStays) return;
    settings.remember({ hasToldThatItStays: true });
    notify(t('notification.stillRunning.title'), t('notification.stillRunning.body'));
  });

  return {
    /** Tells that an error had ended the application, if it was started again after one. */
    start() {
      if (argv.includes(AFTER_ERROR)) notify(t('notification.restarted.title'), t('notification.restarted.body'));
    },
  };
}
