import { t } from '../../messages/messages.ts';
import { CANVAS } from '../shell/layout.ts';

/** The parts of a web application manifest that the pages use (https://www.w3.org/TR/appmanifest/). */
export interface WebManifest {
  readonly id: string;
  readonly name: string;
  readonly short_name: string;
  readonly description: string;
  readonly start_url: string;
  readonly scope: string;
  readonly display: 'standalone';
  readonly background_color: string;
  readonly theme_color: string;
  readonly icons: readonly {
    readonly src: string;
    readonly sizes: string;
    readonly type: string;
    readonly purpose: 'any' | 'maskable';
  }[];
  readonly shortcuts: readonly { readonly name: string; readonly url: string }[];
  /** https://w3c.github.io/web-share-target/ */
  readonly share_target?: {
    readonly action: string;
    readonly method: 'POST';
    readonly enctype: 'multipart/form-data';
    readonly params: {
      readonly title: string;
      readonly text: string;
      readonly url: string;
      readonly files: readonly { readonly name: string; readonly accept: readonly string[] }[];
    };
  };
}

/** Below `/files`: where other apps send what is shared with this one. */
export const RECEIVE = '/receive';
/** The fields of its form, as the worker reads them (`web-client/worker/`). */
const RECEIVED = ['title', 'text', 'url', 'files'] as const;

/** Longer names are cut below the icons of phones. */
const SHORT = 12;

/**
 * How phones and browsers install the file pages.
 * @param assets like `basePath` without a trailing slash
 * @param receives whether other apps can share files with this one
 */
export function webManifest(household: string, basePath: string, assets: string, receives: boolean): WebManifest {
  const files = `${basePath}/files/`;
  const icon = (file: string, size: number, purpose: 'any' | 'maskable') =>
    ({ src: `${assets}/icons/${file}`, sizes: `${size}x${size}`, type: 'image/png', purpose }) as const;
  const list = (path: string) => `${files}?path=${encodeURIComponent(path)}`;
  return {
    id: files,
    name: household,
    short_name: household.length <= SHORT ? household : 'Larder',
    description: t('install.description', { household }),
    start_url: files,
    scope: files,
    display: 'standalone',
    background_color: CANVAS.light,
    theme_color: CANVAS.light,
    icons: [
      icon('app-192.png', 192, 'any'),
      icon('app-512.png', 512, 'any'),
      icon('app-maskable-512.png', 512, 'maskable'),
    ],
    shortcuts: [
      { name: t('install.photos'), url: list('/PHOTOS') },
      { name: t('install.recent'), url: list('/RECENT') },
    ],
    ...(receives ? { share_target: shareTarget(`${basePath}/files${RECEIVE}`) } : {}),
  };
}

function shareTarget(action: string): NonNullable<WebManifest['share_target']> {
  const [title, text, url, files] = RECEIVED;
  const params = { title, text, url, files: [{ name: files, accept: ['*/*'] }] };
  return { action, method: 'POST', enctype: 'multipart/form-data', params };
}
