import type { ServerState } from '../server/control/contract/window.ts';

/** Everything that the application itself says to people, in one place. What the window shows is the renderer's. */
export const texts = {
  name: 'Larder',
  menu: {
    open: 'Open Larder',
    copyAddress: 'Copy address',
    pause: 'Pause',
    start: 'Start',
    openFolder: 'Show the folder',
    openLogs: 'Show the log files',
    quit: 'Quit Larder',
    larder: 'Larder',
    edit: 'Edit',
    view: 'View',
    window: 'Window',
    closeWindow: 'Close window',
  },
  status: (state: ServerState, needsAttention: boolean): string => {
    switch (state.kind) {
      case 'running':
        return needsAttention ? 'Running, needs attention' : 'Running';
      case 'starting':
        return 'Starting';
      case 'stopping':
        return 'Stopping';
      case 'failed':
        return 'Not running: needs attention';
      case 'stopped':
        return 'Paused';
    }
  },
  noFolder: 'No folder yet',
  tooltip: (status: string) => `Larder: ${status}`,
  stays: {
    title: 'Larder goes on',
    body: 'The household still reaches its files. Open Larder again, or its icon beside the clock, to come back here.',
  },
  failed: { title: 'Larder is not running' },
  unsaved: {
    message: 'Leave without saving?',
    detail: 'What was changed and not saved is lost.',
    keep: 'Keep editing',
    discard: 'Discard changes',
  },
  dialog: { title: 'Choose a folder for Larder', button: 'Choose' },
  folder: {
    suggested: 'Larder',
    relative: 'This is not a whole path.',
    unreadable: (code: string) => `This folder cannot be read (${code}). Choose another one.`,
    notWritable: (folder: string) => `You may not write to ${folder}. Choose a folder of your own.`,
    noFolder: 'This is a file. Choose a folder.',
    isBackup: 'This is a backup. Make a Larder folder of it with “larder restore”, and choose that one.',
    inCloud: (name: string) =>
      `${name} copies this folder to somewhere else while it is written, which damages databases. Choose a folder outside of it.`,
  },
  refused: {
    noServer: 'The server is not running.',
    noFolder: 'Choose a folder first.',
    notOffered: 'Choose the folder in the dialog.',
    nothingToShow: 'There is nothing to show yet.',
    notWritten: (reason: string) => `This could not be kept: ${reason}`,
    unexpected: 'Something went wrong. The log says what.',
  },
} as const;
