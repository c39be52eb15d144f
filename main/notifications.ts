import { Notification } from 'electron';

/** Notifications of the system, on those that have them. */
interface Notifications {
  notify(title: string, body: string): void;
}

/** @param onClick of any of them */
export function createNotifications(onClick: () => void): Notifications {
  const shown = new Set<Notification>();
  return {
    notify(title, body) {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      // Referenced until it is clicked, so that it is not garbage-collected.
      shown.add(notification);
      notification.on('click', onClick);
      notification.once('close', () => shown.delete(notification));
      notification.show();
    },
  };
}
