/** Errors of requests, and reasons why the server does not run. */
export const server = {
  'error.notRunning': 'The server is not running.',
  'error.stopped': 'The server has stopped. Try again once it is running.',
  'error.noFolder': 'Choose a folder first.',
  'error.folderNotOffered': 'Choose the folder in the dialog.',
  'error.nothingToShow': 'There is nothing to show yet.',
  'error.notSaved': 'This could not be saved: {reason}',
  'error.settingsNotSaved': 'The settings could not be saved: {reason}',
  'error.folderNotUsed': 'Larder could not change to this folder: {reason}',
  'error.failed': 'This did not work: {reason}',
  'error.unexpected': 'Something went wrong. See the log for details.',
  'error.notAllowed': 'This request did not come from the Larder window.',
  'error.invalidRequest': 'This request is invalid.',

  'server.ended.message': 'The server stopped unexpectedly.',
  'server.ended.advice': 'Larder is restarting it. If this keeps happening, see the log.',
  'server.notStarted.message': 'The server could not be started: {reason}',
  'server.silent.message': 'The server is not starting.',
  'server.silent.advice': 'The disk may be asleep or very slow. Larder is trying again; see the log for details.',
} as const;
