import { z } from 'zod';
import type { ControlFailure } from './contract.ts';
import { startFailure } from './desktop.ts';
import type { ControlEventName, ControlPayload } from './events.ts';

/**
 * What the window of the desktop application may request from the application itself. All other requests go to the server by the
 * control contract. The method names never collide, because these begin with `desktop.`.
 */

/** The state of the server. */
const serverState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('starting'), step: z.enum(['opening', 'listening']) }),
  z.object({
    kind: z.literal('running'),
    version: z.string(),
    /** The most readable first; those of the networks the machine is in now. */
    addresses: z.array(z.string()).readonly(),
    /** The server's log file. */
    log: z.string(),
  }),
  z.object({
    kind: z.literal('failed'),
    failure: startFailure,
    /** Milliseconds until the next automatic try; null if that would not help. */
    retryIn: z.number().nullable(),
  }),
  z.object({ kind: z.literal('stopping') }),
  z.object({ kind: z.literal('stopped') }),
]);

export type ServerState = z.infer<typeof serverState>;

const desktopState = z.object({
  version: z.string(),
  platform: z.string(),
  /** The household's folder; null until one is chosen. */
  folder: z.string().nullable(),
  server: serverState,
  /** Whether the application starts at login; null where the system does not support it. */
  startsAtLogin: z.boolean().nullable(),
  /** Whether this computer is kept from sleeping while the server runs. */
  keepsAwake: z.boolean(),
  /** Whether single-letter shortcuts are enabled in the window; a browser stores that itself. */
  letterKeys: z.boolean(),
  /** The HTTPS port chosen on this computer; null for the default. */
  port: z.int().nullable(),
});

/** The kind of a folder chosen for a new or moved installation. */
const folderLook = z.object({
  folder: z.string(),
  /**
   * `new`: created when it is used; `empty`; `larder`: an existing installation, to be used again; `files`: contains files, which
   * stay as they are; `unusable`: see `problem`.
   */
  kind: z.enum(['new', 'empty', 'larder', 'files', 'unusable']),
  /** Of its disk, in bytes; null if unknown. */
  freeBytes: z.number().nullable(),
  /** The problem and what to do, as text for people. */
  problem: z.string().nullable(),
});

const none = z.strictObject({});
/** Long enough for every path of any system. */
const path = z.string().min(1).max(32_768);

export const windowMethods = {
  'desktop.state': { summary: "Get the application's state", input: none, output: desktopState },
  'desktop.suggestFolder': {
    summary: 'Get the suggested folder for a new installation',
    input: none,
    output: folderLook,
  },
  'desktop.chooseFolder': {
    summary: "Let the user choose a folder in the system's dialog; null if cancelled. The folder is not used yet.",
    input: none,
    output: folderLook.nullable(),
  },
  'desktop.useFolder': {
    summary: 'Switch the server to this folder; a server in another folder is stopped',
    input: z.strictObject({ folder: path }),
    output: desktopState,
  },
  'desktop.start': { summary: 'Start the server, or try again', input: none, output: desktopState },
  'desktop.pause': {
    summary: 'Stop the server; running requests may finish',
    input: none,
    output: desktopState,
  },
  'desktop.set': {
    summary: "Change the application's settings on this computer",
    input: z.strictObject({
      startsAtLogin: z.boolean().optional(),
      keepsAwake: z.boolean().optional(),
      letterKeys: z.boolean().optional(),
      /** Takes effect at the next start of the server, which follows at once if the last one failed. */
      port: z.int().min(1).max(65_535).nullable().optional(),
    }),
    output: desktopState,
  },
  'desktop.unsaved': {
    summary: 'Report whether there is unsaved input; the application then asks before it quits',
    input: z.strictObject({ isUnsaved: z.boolean() }),
    output: none,
  },
  'desktop.copy': {
    summary: 'Copy text to the clipboard',
    input: z.strictObject({ text: z.string().min(1).max(10_000) }),
    output: none,
  },
  'desktop.save': {
    summary: "Save text to a file chosen in the system's dialog; nothing is saved if cancelled",
    input: z.strictObject({
      /** The suggested name, without characters that are special on any system. */
      name: z.string().regex(/^[\w][\w. -]{0,99}$/),
      text: z.string().max(100_000_000),
    }),
    output: z.object({ saved: z.boolean() }),
  },
  'desktop.openFolder': { summary: 'Show the folder in the file manager', input: none, output: none },
  'desktop.openLogs': { summary: 'Show the log files in the file manager', input: none, output: none },
  'desktop.quit': { summary: 'Stop the server and quit the application', input: none, output: none },
} as const satisfies Record<string, WindowMethod>;

interface WindowMethod {
  readonly summary: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

type WindowMethods = typeof windowMethods;
export type WindowMethodName = keyof WindowMethods;
export type WindowInput<Name extends WindowMethodName> = z.input<WindowMethods[Name]['input']>;
export type WindowOutput<Name extends WindowMethodName> = z.output<WindowMethods[Name]['output']>;

export type DesktopState = z.infer<typeof desktopState>;
export type FolderState = z.infer<typeof folderLook>;

/** Events for the window, beside those of the server. */
export type WindowEvent =
  | { readonly name: 'desktop.state'; readonly payload: DesktopState }
  | { [Name in ControlEventName]: { readonly name: Name; readonly payload: ControlPayload<Name> } }[ControlEventName];

/** The result of a call through the bridge. A failure is a value, because errors lose all but their message on the way. */
export type WindowReply = { readonly output: unknown } | { readonly failure: ControlFailure };

/** Everything a page of the window can access of the application, as `window.larder`. */
export interface WindowBridge {
  /** @param method of the control contract or of `windowMethods` */
  invoke(method: string, input: unknown): Promise<WindowReply>;
  /** Calls the listener with the present state, then with every change. Returns the function that unsubscribes. */
  subscribe(listener: (event: WindowEvent) => void): () => void;
}

/** A call through the bridge. */
export const windowRequest = z.strictObject({ method: z.string().max(100), input: z.unknown() });

/** The origin of the window's pages. */
export const WINDOW_ORIGIN = 'app://larder';
