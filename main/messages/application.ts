/** The icon beside the clock, the menus, notifications and questions of the desktop application. */
export const application = {
  'app.name': 'Larder',
  'app.tooltip': 'Larder: {status}',

  'app.status':
    '{state, select, running {Running} attention {Running, needs attention} starting {Starting} stopping {Stopping} failed {Not running, needs attention} stopped {Paused} other {No folder yet}}',

  'menu.open': 'Open Larder',
  'menu.copyAddress': 'Copy address',
  'menu.pause': 'Pause',
  'menu.start': 'Start',
  'menu.openFolder': 'Open folder',
  'menu.openLogs': 'Open log folder',
  'menu.quit': 'Quit Larder',
  'menu.application': 'Larder',
  'menu.edit': 'Edit',
  'menu.view': 'View',
  'menu.closeWindow': 'Close window',

  'notification.stillRunning.title': 'Larder is still running',
  'notification.stillRunning.body':
    'Your household can still reach its files. To open this window again, use the Larder icon or start Larder.',
  'notification.failed.title': 'Larder is not running',
  'notification.restarted.title': 'Larder has restarted',
  'notification.restarted.body': 'An error ended it. Your files are not affected. The log has the details.',

  'ended.title': 'Larder has ended',
  'ended.body': 'The same error occurred again after a restart. The log has the details: {folder}',

  'unsaved.question': 'Leave without saving?',
  'unsaved.detail': 'Your unsaved changes will be lost.',
  'unsaved.keep': 'Keep editing',
  'unsaved.discard': 'Discard changes',
} as const;
