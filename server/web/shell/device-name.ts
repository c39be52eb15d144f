import Bowser from 'bowser';
import { t } from '../../messages/messages.ts';

export interface Device {
  readonly name: string;
  readonly isPhone: boolean;
}

/** Describes the device from its user agent string, which is not trustworthy. */
export function deviceOf(userAgent: string): Device {
  // The parser throws for an empty string.
  const { browser, os, platform } = userAgent === '' ? { browser: {}, os: {}, platform: {} } : Bowser.parse(userAgent);
  const isPhone = platform.type === 'mobile' || platform.type === 'tablet';
  if (!browser.name) return { name: t('account.devices.unknown'), isPhone };
  const name = os.name ? t('account.devices.name', { browser: browser.name, system: os.name }) : browser.name;
  return { name, isPhone };
}
