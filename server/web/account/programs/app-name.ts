import { t } from '../../../messages/messages.ts';

/** What the desktop client says: the name of its computer. */
const OF_COMPUTER = /^(.+) \((?:Desktop Client|Desktop-client) - [^()]*\)$/i;
/** What phone apps say: `Mozilla/5.0 (Android) Nextcloud-android/3.30.0`. */
const OF_PHONE = /^Mozilla\/5\.0 \((Android|iOS)\) ([A-Za-z]+)/;

/** A name for an app, from what it says of itself. It is shown as what the app claims, and is the name that a person may change. */
export function appName(userAgent: string): string {
  const text = userAgent.replaceAll(/\p{Cc}/gu, ' ').trim();
  const computer = OF_COMPUTER.exec(text)?.[1];
  if (computer !== undefined) return computer;
  const [, system, app] = OF_PHONE.exec(text) ?? [];
  if (system !== undefined && app !== undefined) return t('connect.app', { app, system });
  return text === '' ? t('connect.unknown') : text;
}
