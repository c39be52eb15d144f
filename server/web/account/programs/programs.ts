import { type Html, html } from '../../../lib/text/html.ts';
import { t, tHtml } from '../../../messages/messages.ts';
import type { IconName } from '../../shell/icons.ts';

/** A field that the person copies to a program. */
interface ProgramField {
  readonly name: string;
  readonly value: string;
}

/** The address of WebDAV as the person's browser knows it. */
export interface DavAddress {
  /** Host, and port if it is not the usual one. */
  readonly host: string;
  /** With slashes at both ends. */
  readonly path: string;
  /** The same of the folder with the person's own files. */
  readonly files: string;
  /** The address of the server, for apps that look for everything themselves. */
  readonly server: string;
}

export interface Program {
  readonly icon: IconName;
  readonly steps: () => Html;
  readonly fields: (address: DavAddress) => readonly ProgramField[];
  /** What to select when the program asks for the password. */
  readonly remember?: () => string;
  /** Whether the app opens a page on which the person signs in, and gets its app password there. */
  readonly opensPage?: true;
}

const strong = (text: string): Html => html`<strong>${text}</strong>`;
const code = (text: string): Html => html`<code>${text}</code>`;
const type = () => strong(t('programs.steps.type'));

const addressField = (value: string): ProgramField[] => [{ name: t('programs.address'), value }];
const ofEverything = ({ host, path }: DavAddress) => addressField(`https://${host}${path}`);
/** For programs that store something of their own, which needs a folder that can be written to. */
const ofFiles = ({ host, files }: DavAddress) => addressField(`https://${host}${files}`);

export const PROGRAMS = {
  windows: {
    icon: 'windows',
    steps: () =>
      tHtml('programs.steps.windows', {
        pc: strong(t('programs.steps.windows.pc')),
        map: strong(t('programs.steps.windows.map')),
        credentials: strong(t('programs.steps.windows.credentials')),
      }),
    fields: ofEverything,
    remember: () => t('programs.made.remember.windows'),
  },
  macos: {
    icon: 'apple',
    steps: () =>
      tHtml('programs.steps.macos', {
        go: strong(t('programs.steps.macos.go')),
        connect: strong(t('programs.steps.macos.connect')),
      }),
    fields: ofEverything,
    remember: () => t('programs.made.remember.macos'),
  },
  linux: {
    icon: 'desktop',
    steps: () => tHtml('programs.steps.linux', { network: strong(t('programs.steps.linux.network')) }),
    fields: ({ host, path }) => addressField(`davs://${host}${path}`),
  },
  android: {
    icon: 'android',
    steps: () => tHtml('programs.steps.android', { type: type() }),
    fields: ofEverything,
  },
  nextcloud: {
    icon: 'cloud',
    steps: () =>
      tHtml('programs.steps.nextcloud', {
        login: strong(t('programs.steps.nextcloud.login')),
        do: strong(t('connect.do')),
      }),
    fields: ({ server }) => addressField(server),
    opensPage: true,
  },
  nextcloudAndroid: {
    icon: 'android',
    steps: () =>
      tHtml('programs.steps.nextcloudAndroid', {
        login: strong(t('programs.steps.nextcloud.login')),
        do: strong(t('connect.do')),
        settings: strong(t('programs.steps.phone.settings')),
        upload: strong(t('programs.steps.nextcloudAndroid.upload')),
      }),
    fields: ({ server }) => addressField(server),
    opensPage: true,
  },
  nextcloudIos: {
    icon: 'apple',
    steps: () =>
      tHtml('programs.steps.nextcloudIos', {
        login: strong(t('programs.steps.nextcloud.login')),
        do: strong(t('connect.do')),
        settings: strong(t('programs.steps.phone.settings')),
        upload: strong(t('programs.steps.nextcloudIos.upload')),
      }),
    fields: ({ server }) => addressField(server),
    opensPage: true,
  },
  kodi: {
    icon: 'tv',
    steps: () =>
      tHtml('programs.steps.kodi', {
        videos: strong(t('programs.steps.kodi.videos')),
        music: strong(t('programs.steps.kodi.music')),
        files: strong(t('programs.steps.kodi.files')),
        add: strong(t('programs.steps.kodi.add')),
        browse: strong(t('programs.steps.kodi.browse')),
        location: strong(t('programs.steps.kodi.location')),
        protocol: strong(t('programs.steps.kodi.protocol')),
      }),
    fields: ({ host, path }) => {
      const { hostname, port } = new URL(`https://${host}`);
      return [
        { name: t('programs.server'), value: hostname },
        { name: t('programs.path'), value: path.slice(1, -1) },
        { name: t('programs.port'), value: port === '' ? '443' : port },
      ];
    },
  },
  rclone: {
    icon: 'terminal',
    steps: () =>
      tHtml('programs.steps.rclone', {
        command: code('rclone config'),
        type: strong('webdav'),
        vendor: strong(t('programs.steps.rclone.vendor')),
      }),
    fields: ofEverything,
  },
  keepass: {
    icon: 'key',
    steps: () =>
      tHtml('programs.steps.keepass', {
        file: strong(t('programs.steps.keepass.file')),
        open: strong(t('programs.steps.keepass.open')),
        url: strong(t('programs.steps.keepass.url')),
        example: code(t('programs.steps.keepass.example')),
      }),
    fields: ofFiles,
  },
  zotero: {
    icon: 'books',
    steps: () => tHtml('programs.steps.zotero', { sync: strong(t('programs.steps.zotero.sync')), type: type() }),
    // Zotero has a field of its own for the scheme, and adds a path of its own.
    fields: ({ host, files }) => addressField(`${host}${files.slice(0, -1)}`),
  },
  joplin: {
    icon: 'notebook',
    steps: () =>
      tHtml('programs.steps.joplin', {
        sync: strong(t('programs.steps.joplin.sync')),
        type: type(),
        example: code(t('programs.steps.joplin.example')),
      }),
    fields: ofFiles,
  },
  other: {
    icon: 'plug',
    steps: () => tHtml('programs.steps.other', { type: type() }),
    fields: ofEverything,
  },
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof PROGRAMS;

export const PROGRAM_NAMES = Object.keys(PROGRAMS) as ProgramName[];

/** @returns null for a text that names no program */
export function programIn(text: string | null | undefined): ProgramName | null {
  return PROGRAM_NAMES.find((name) => name === text) ?? null;
}

/** Whether a program is an app that signs in with a browser. */
export function opensPage(name: ProgramName): boolean {
  const program: Program = PROGRAMS[name];
  return program.opensPage === true;
}

export function nameOf(name: ProgramName): string {
  return t(`programs.names.${name}`);
}

/** The name of the program that an app password is for, if it is one of those that have steps of their own. */
export function knownName(program: string | null): string[] {
  const known = programIn(program);
  return known === null || known === 'other' ? [] : [nameOf(known)];
}
