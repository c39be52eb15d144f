/** Errors of control methods and settings. */
export const apiControlMessages = {
  'api.control.noServer': 'No server is running on this folder. Start it with: {command} serve',
  'api.control.badRequest': 'The request does not have the expected form.',
  'api.control.internal': 'Something went wrong. The log contains details.',
  'api.control.unknownMethod': 'There is no control method "{method}".',
  'api.control.notSetUp': 'This installation has no owner yet. Set it up first: {command} setup, or the setup page.',
  'api.control.alreadySetUp': 'This installation is already set up.',
  'api.control.input': 'The input is not valid: {problem}',
  'api.control.inputField': '"{field}" is not valid: {problem}',
  'api.control.inputInvalid': 'The input is not valid.',
  'api.control.tooManyCalls': 'Too many calls at once. Try again in a moment.',
  'api.control.loopbackOnly': 'The control panel is available on loopback addresses only.',
  'api.control.methods': 'Use GET or POST.',
  'api.control.linkUsed': 'This link has already been used or is older than ten minutes.',
  'api.control.proof': 'The proof does not match the challenge.',
  'api.control.openLink':
    'Open the link that "{command} serve" printed, or get a new one with "{command} control panel.link".',
  'api.control.signIn': 'Sign in to open the control panel.',
  'api.control.otherOrigin': 'This request comes from a page of another address.',
  'api.control.twoStep': 'The control panel requires two-step sign-in. Turn it on at your account page first.',
  'api.control.ownerOnly': 'Only the owner, {owner}, can open the control panel.',
  'api.control.accountFirst': 'Your account needs attention first. Sign in at your account page.',
  'api.control.packageNotFound': 'This package does not exist.',
  'api.control.accountKey': '"id" or "username" is required.',
  'api.control.authorizationNotFound': 'This authorization does not exist.',
  'api.control.sessionNotFound': 'This session does not exist.',
  'api.control.ownTwoStep': 'Turn on two-step sign-in for your own account first, at your account page.',
  'api.control.requestRunning': 'A request with this ID is already running.',
  'api.control.tooManyRequests': 'Too many requests are running. Wait for one to finish.',
  'api.control.requestStopped': 'The request was cancelled. Changes it had already made remain.',
  'api.control.responseCut': 'The response was cut off. The log contains details.',
  'api.control.methodWithoutFile': 'A {method} request cannot have a file.',
  'api.control.fileTooLarge': 'The file can have at most {megabytes, number} MB.',

  'api.reports.newAuthority':
    'The household’s certificate authority was missing, so a new one was created. Every device that trusted the old one must trust the new one. If you have a backup with the keys, stop Larder and restore tls/ca.crt and tls/ca.key together.',
  'api.reports.unwatched':
    '{count, plural, one {# folder cannot} other {# folders cannot}} be watched. Changes by other programs appear in listings at once, but in searches only after ten minutes. Either the folders are on a network disk, or they exceed the limit of the system (on Linux fs.inotify.max_user_watches and max_user_instances).',
  'api.reports.mailWaiting':
    '{count, plural, one {# email is waiting} other {# emails are waiting}} to be sent and will be tried again. {problem}',

  'api.settings.householdName': 'Enter a name of at most 60 characters.',
  'api.settings.baseUrl': 'Enter an https address such as https://files.example, or leave it empty.',
  'api.settings.folder': 'Enter the whole path of a folder.',
  'api.settings.network': 'Enter an IP address, or a network such as 10.0.0.0/8.',
  'api.settings.folderOrEmpty': 'Enter the whole path of a folder, or leave it empty.',
  'api.settings.host': 'Enter the name or address of a server.',
  'api.settings.mapTileUrl':
    'Enter an https address with {z}, {x} and {y} once each after the host and without a user name, or leave it empty.',
  'api.settings.mapTileAttribution': 'Enter whose map it is, in at most 200 characters.',
  'api.settings.email': 'Enter an email address, or leave it empty.',
} as const;
