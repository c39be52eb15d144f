import Bowser from 'bowser';
import { type Html, html } from '../../lib/text/html.ts';
import type { MessageKey } from '../../messages/catalogue.ts';
import { t, tHtml } from '../../messages/messages.ts';
import type { IconName } from '../shell/icons.ts';

export const SYSTEM_NAMES = ['ios', 'android', 'windows', 'mac', 'linux', 'firefox'] as const;

export type SystemName = (typeof SYSTEM_NAMES)[number];

/** What a step looks like on the device, drawn beside it. */
interface Hint {
  readonly kind: 'file' | 'button' | 'row' | 'switch';
  readonly text: string;
}

interface Step {
  readonly title: string;
  readonly text: Html;
  readonly hint: Hint;
  /** How to find the number of the file where the device shows it to commands only; it opens on request. */
  readonly check?: Html;
  /** Whether it begins with the download. */
  readonly downloads?: true;
}

interface System {
  readonly icon: IconName;
  /** Which file the device installs. */
  readonly file: 'profile' | 'certificate';
  readonly isPhone: boolean;
  readonly steps: () => readonly Step[];
}

/** A name that the operating system or browser shows. */
export function label(key: MessageKey & `trust.labels.${string}`): Html {
  return html`<strong>${t(key as 'trust.labels.settings')}</strong>`;
}

const code = (text: string) => html`<code translate="no">${text}</code>`;

/** The steps on each kind of device: short ones, with the names that the device shows. */
export const SYSTEMS: Readonly<Record<SystemName, System>> = {
  ios: {
    icon: 'apple',
    file: 'profile',
    isPhone: true,
    steps: () => [
      {
        title: t('trust.ios.download.title'),
        text: tHtml('trust.ios.download.text', { allow: label('trust.labels.allow') }),
        hint: { kind: 'button', text: t('trust.labels.allow') },
        downloads: true,
      },
      {
        title: t('trust.ios.install.title'),
        text: tHtml('trust.ios.install.text', {
          settings: label('trust.labels.settings'),
          downloaded: label('trust.labels.profileDownloaded'),
          details: label('trust.labels.moreDetails'),
          install: label('trust.labels.install'),
        }),
        hint: { kind: 'row', text: t('trust.labels.profileDownloaded') },
      },
      {
        title: t('trust.ios.trust.title'),
        text: tHtml('trust.ios.trust.text', {
          settings: label('trust.labels.settings'),
          general: label('trust.labels.general'),
          about: label('trust.labels.about'),
          trust: label('trust.labels.certificateTrust'),
        }),
        hint: { kind: 'switch', text: t('trust.labels.larder') },
      },
    ],
  },
  android: {
    icon: 'android',
    file: 'certificate',
    isPhone: true,
    steps: () => [
      {
        title: t('trust.file.title'),
        text: tHtml('trust.android.download.text', { downloads: label('trust.labels.downloads') }),
        hint: { kind: 'file', text: t('trust.labels.file') },
        downloads: true,
      },
      {
        title: t('trust.android.install.title'),
        text: tHtml('trust.android.install.text', {
          settings: label('trust.labels.settings'),
          ca: label('trust.labels.caCertificate'),
          anyway: label('trust.labels.installAnyway'),
        }),
        hint: { kind: 'button', text: t('trust.labels.installAnyway') },
      },
      {
        title: t('trust.android.compare.title'),
        text: tHtml('trust.android.compare.text', {
          credentials: label('trust.labels.trustedCredentials'),
          user: label('trust.labels.user'),
        }),
        hint: { kind: 'row', text: t('trust.labels.larder') },
      },
    ],
  },
  windows: {
    icon: 'windows',
    file: 'certificate',
    isPhone: false,
    steps: () => [
      {
        title: t('trust.file.title'),
        text: html`${t('trust.saved')}`,
        check: tHtml('trust.windows.check', { command: code('certutil -dump Downloads\\larder-ca.crt') }),
        hint: { kind: 'file', text: t('trust.labels.file') },
        downloads: true,
      },
      {
        title: t('trust.windows.install.title'),
        text: tHtml('trust.windows.install.text', {
          install: label('trust.labels.installCertificate'),
          user: label('trust.labels.currentUser'),
          next: label('trust.labels.next'),
        }),
        hint: { kind: 'button', text: t('trust.labels.installCertificate') },
      },
      {
        title: t('trust.windows.place.title'),
        text: tHtml('trust.windows.place.text', {
          place: label('trust.labels.placeAll'),
          browse: label('trust.labels.browse'),
          root: label('trust.labels.trustedRoot'),
          yes: label('trust.labels.yes'),
        }),
        hint: { kind: 'row', text: t('trust.labels.trustedRoot') },
      },
    ],
  },
  mac: {
    icon: 'desktop',
    file: 'certificate',
    isPhone: false,
    steps: () => [
      {
        title: t('trust.file.title'),
        text: tHtml('trust.mac.download.text', { keychain: label('trust.labels.keychainAccess') }),
        hint: { kind: 'file', text: t('trust.labels.file') },
        downloads: true,
      },
      {
        title: t('trust.mac.find.title'),
        text: tHtml('trust.mac.find.text', { certificates: label('trust.labels.certificates') }),
        hint: { kind: 'row', text: t('trust.labels.larder') },
      },
      {
        title: t('trust.mac.trust.title'),
        text: tHtml('trust.mac.trust.text', {
          trust: label('trust.labels.trust'),
          always: label('trust.labels.alwaysTrust'),
        }),
        hint: { kind: 'button', text: t('trust.labels.alwaysTrust') },
      },
    ],
  },
  linux: {
    icon: 'terminal',
    file: 'certificate',
    isPhone: false,
    steps: () => [
      {
        title: t('trust.file.title'),
        text: html`${t('trust.saved')}`,
        check: tHtml('trust.linux.check', {
          command: code('openssl x509 -in larder-ca.crt -noout -fingerprint -sha256'),
        }),
        hint: { kind: 'file', text: t('trust.labels.file') },
        downloads: true,
      },
      {
        title: t('trust.linux.browser.title'),
        text: tHtml('trust.linux.browser.text', {
          certificates: label('trust.labels.manageCertificates'),
          import: label('trust.labels.import'),
        }),
        hint: { kind: 'button', text: t('trust.labels.import') },
      },
      {
        title: t('trust.linux.programs.title'),
        text: tHtml('trust.linux.programs.text', {
          debian: code('sudo cp larder-ca.crt /usr/local/share/ca-certificates/ && sudo update-ca-certificates'),
          fedora: code('sudo trust anchor larder-ca.crt'),
        }),
        hint: { kind: 'row', text: t('trust.labels.file') },
      },
    ],
  },
  firefox: {
    icon: 'apps',
    file: 'certificate',
    isPhone: false,
    steps: () => [
      {
        title: t('trust.file.title'),
        text: tHtml('trust.firefox.download.text', { file: label('trust.labels.file') }),
        hint: { kind: 'file', text: t('trust.labels.file') },
        downloads: true,
      },
      {
        title: t('trust.firefox.import.title'),
        text: tHtml('trust.firefox.import.text', {
          privacy: label('trust.labels.privacy'),
          view: label('trust.labels.viewCertificates'),
          authorities: label('trust.labels.authorities'),
          import: label('trust.labels.import'),
        }),
        hint: { kind: 'button', text: t('trust.labels.viewCertificates') },
      },
      {
        title: t('trust.firefox.trust.title'),
        text: tHtml('trust.firefox.trust.text', {
          view: label('trust.labels.view'),
          websites: label('trust.labels.identifyWebsites'),
        }),
        hint: { kind: 'switch', text: t('trust.labels.identifyWebsites') },
      },
    ],
  },
};

const BY_NAME: Readonly<Record<string, SystemName>> = {
  iOS: 'ios',
  Android: 'android',
  Windows: 'windows',
  macOS: 'mac',
  Linux: 'linux',
};

/**
 * The kind of device by its user agent, which may be wrong: an iPad says that it is a Mac.
 * @returns null when it says nothing known
 */
export function systemOf(userAgent: string): SystemName | null {
  // The parser throws for an empty string.
  if (userAgent === '') return null;
  const { browser, os } = Bowser.parse(userAgent);
  const system = BY_NAME[os.name ?? ''] ?? null;
  // On Linux, only Firefox has authorities of its own that the system's do not reach.
  return system === 'linux' && browser.name === 'Firefox' ? 'firefox' : system;
}

export function systemIn(text: string | null): SystemName | null {
  return SYSTEM_NAMES.find((name) => name === text) ?? null;
}
