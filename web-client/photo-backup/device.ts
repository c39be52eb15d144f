// What phones hand over when photos are selected is not always what they store, and no page can tell the difference.

import { extensions } from 'virtual:file-types';

/**
 * `apple`: unless the person chooses otherwise in the selection itself, iPhones and iPads hand over converted copies, and the film of
 * a Live Photo never. `android`: the selection of photos takes the place out of them; the selection of files does not.
 */
export type Device = 'android' | 'apple' | 'other';

/** iPads present themselves as Macs, which have no touch screen. */
export function deviceOf({ userAgent, maxTouchPoints }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): Device {
  if (/\bAndroid\b/.test(userAgent)) return 'android';
  const isApple = /\b(?:iPhone|iPad|iPod)\b/.test(userAgent) || (/\bMacintosh\b/.test(userAgent) && maxTouchPoints > 1);
  return isApple ? 'apple' : 'other';
}

/** The `accept` of the field; null where it would open the selection of photos of Android. */
export const acceptOn = (device: Device): string | null => (device === 'android' ? null : 'image/*,video/*');

const MEDIA = new Set(`${extensions.image} ${extensions.raw} ${extensions.video}`.split(' '));

/** Whether a selected file is a photo or a film: where everything can be selected, other files are as well. */
export function isPhotoOrFilm({ name, type }: File): boolean {
  return /^(?:image|video)\//.test(type) || MEDIA.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}
