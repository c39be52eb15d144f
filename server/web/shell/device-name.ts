import Bowser from 'bowser';
import { texts } from './texts.ts';

export interface Device {
  readonly name: string;
  readonly isPhone: boolean;
}

/** What the browser says of itself, in words that people know. It may say anything. */
export function deviceOf(userAgent: string): Device {
  const { devices } = texts.account;
  // The parser throws for an empty one.
  const { browser, os, platform } = userAgent === '' ? { browser: {}, os: {}, platform: {} } : Bowser.parse(userAgent);
  const isPhone = platform.type === 'mobile' || platform.type === 'tablet';
  if (!browser.name) return { name: devices.unknown, isPhone };
  return { name: devices.name(browser.name, os.name ?? null), isPhone };
}
