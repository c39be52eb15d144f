import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clipboard, dialog, shell } from 'electron';
import {
  type DesktopState,
  type FolderState,
  type WindowInput,
  type WindowMethodName,
  type WindowOutput,
  type WindowReply,
  windowMethods,
} from '../server/control/contract/window.ts';
import { settled } from '../server/lib/async/settled.ts';
import { inspectFolder } from './folder-check.ts';
import type { LoginStart } from './login.ts';
import { t } from './messages/messages.ts';
import { refused } from './processes/control-link.ts';
import type { ServerProcess } from './processes/server-process.ts';
import type { DesktopSettings } from './settings.ts';
import type { PanelWindow } from './window.ts';

interface WindowMethodsParts {
  readonly server: ServerProcess;
  readonly settings: DesktopSettings;
  readonly login: LoginStart;
  readonly panel: PanelWindow;
  /** The user's home folder. */
  readonly home: string;
  /** The user's downloads folder. */
  readonly downloads: string;
  /** The folder of the application's own log. */
  readonly logs: string;
  state(): DesktopState;
  /** Settings have changed. */
  onSet(): void;
  /** For the log. */
  onTrouble(what: string): void;
  quit(): void;
}

/** Methods that start, stop or select the server run one at a time. */
const IN_TURN: ReadonlySet<string> = new Set(['desktop.useFolder', 'desktop.start', 'desktop.pause', 'desktop.set']);

/** The request cannot be fulfilled; the message is for people. */
class Refusal extends Error {}

/** What has not happened when the disk or the system refuses, which says why in words. */
const FAILED: Readonly<
  Partial<Record<WindowMethodName, 'error.notSaved' | 'error.settingsNotSaved' | 'error.folderNotUsed'>>
> = {
  'desktop.save': 'error.notSaved',
  'desktop.set': 'error.settingsNotSaved',
  'desktop.useFolder': 'error.folderNotUsed',
};

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'errno' in error;

type Handlers = {
  readonly [Name in WindowMethodName]: (input: WindowInput<Name>) => Promise<WindowOutput<Name>> | WindowOutput<Name>;
};

function oneAfterTheOther(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = settled(mine);
    return mine;
  };
}

/** The methods of the window, as defined by `windowMethods`. */
export function createWindowMethods(parts: WindowMethodsParts) {
  const { server, settings, login, panel, state } = parts;
  /** Folders that were offered, or chosen in the system dialog: a page cannot name any other. */
  const offered = new Set<string>();
  const inTurn = oneAfterTheOther();

  async function offer(folder: string): Promise<FolderState> {
    offered.add(folder);
    return inspectFolder(folder);
  }

  const handlers: Handlers = {
    'desktop.state': () => state(),
    'desktop.suggestFolder': () => offer(join(parts.home, t('folder.suggestedName'))),

    async 'desktop.chooseFolder'() {
      const window = panel.current;
      const options: Electron.OpenDialogOptions = {
        title: t('folder.choose.title'),
        buttonLabel: t('folder.choose.button'),
        defaultPath: settings.values.folder ?? parts.home,
        properties: ['openDirectory', 'createDirectory', 'promptToCreate', 'dontAddToRecent'],
      };
      const asked = window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options);
      const { canceled, filePaths } = await asked;
      const [folder] = filePaths;
      return canceled || folder === undefined ? null : offer(folder);
    },

    async 'desktop.useFolder'({ folder }) {
      if (!offered.has(folder) && folder !== settings.values.folder) throw new Refusal(t('error.folderNotOffered'));
      const { kind, problem } = await inspectFolder(folder);
      if (problem !== null) throw new Refusal(problem);
      if (folder !== settings.values.folder) {
        await server.stop();
        settings.update({ folder, hasRun: kind === 'larder' });
      }
      server.start();
      return state();
    },

    'desktop.start'() {
      if (settings.values.folder === null) throw new Refusal(t('error.noFolder'));
      server.start();
      return state();
    },

    'desktop.pause'() {
      // It may take as long as requests in progress; the state events show the progress.
      void server.stop();
      return state();
    },

    async 'desktop.set'({ startsAtLogin, keepsAwake, letterKeys, port }) {
      if (startsAtLogin !== undefined) login.set(startsAtLogin);
      if (keepsAwake !== undefined) settings.update({ keepsAwake });
      if (letterKeys !== undefined) settings.update({ letterKeys });
      if (port !== undefined && port !== settings.values.port) {
        settings.update({ port });
        const { kind } = server.state;
        if (kind === 'running') await server.stop();
        if (kind !== 'stopped' && kind !== 'stopping') server.start();
      }
      parts.onSet();
      return state();
    },

    'desktop.unsaved'({ isUnsaved }) {
      if (panel.closing !== null) panel.closing.isUnsaved = isUnsaved;
      return {};
    },

    'desktop.copy'({ text }) {
      clipboard.writeText(text);
      return {};
    },

    async 'desktop.save'({ name, text }) {
      const window = panel.current;
      const options: Electron.SaveDialogOptions = { defaultPath: join(parts.downloads, name) };
      const asked = window === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(window, options);
      const { canceled, filePath } = await asked;
      if (canceled || filePath === '') return { saved: false };
      await writeFile(filePath, text);
      return { saved: true };
    },

    async 'desktop.openFolder'() {
      if (settings.values.folder === null) throw new Refusal(t('error.noFolder'));
      await open(settings.values.folder);
      return {};
    },

    async 'desktop.openLogs'() {
      await open(logFolder());
      return {};
    },

    'desktop.quit'() {
      parts.quit();
      return {};
    },
  };

  /** The server's, which has most details; if there is none, or its disk is unavailable, the application's own. */
  function logFolder(): string {
    const ofServer =
      server.state.kind === 'running'
        ? dirname(server.state.log)
        : settings.values.folder && join(settings.values.folder, '.larder', 'logs');
    return ofServer && existsSync(ofServer) ? ofServer : parts.logs;
  }

  async function open(folder: string): Promise<void> {
    if (!existsSync(folder)) throw new Refusal(t('error.nothingToShow'));
    const problem = await shell.openPath(folder);
    if (problem !== '') throw new Refusal(problem);
  }

  return {
    isOne: (method: string): method is WindowMethodName => Object.hasOwn(windowMethods, method),

    async answer(method: WindowMethodName, input: unknown): Promise<WindowReply> {
      const { input: shape, output } = windowMethods[method];
      const checked = shape.safeParse(input);
      if (!checked.success) return refused(checked.error.issues[0]?.message ?? '', 'invalid_input');
      try {
        const work = async () => output.parse(await handlers[method](checked.data as never));
        return { output: await (IN_TURN.has(method) ? inTurn(work) : work()) };
      } catch (error) {
        if (error instanceof Refusal) return refused(error.message);
        parts.onTrouble(`${method}: ${(error as Error).stack}`);
        if (isSystemError(error)) return refused(t(FAILED[method] ?? 'error.failed', { reason: error.message }));
        return refused(t('error.unexpected'), 'internal_error');
      }
    },
  };
}
