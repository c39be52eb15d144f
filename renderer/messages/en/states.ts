/** Screens in place of the panel: starting, stopping, paused, failed, signing in. */
export const states = {
  'starting.heading': 'Larder is starting',
  'starting.steps.opening': 'Opening the folder…',
  'starting.steps.listening': 'Preparing to accept connections…',
  'starting.long': 'Upgrading a large database can take a few minutes. Leave Larder running.',

  'stopping.heading': 'Larder is stopping',
  'stopping.lead': 'Finishing uploads in progress. This takes up to 30 seconds.',

  'paused.heading': 'Larder is paused',
  'paused.lead': 'No one can access files, and apps are asked to try again later. Nothing is lost.',
  'paused.start': 'Start',
  'paused.folder': 'Open folder',

  'failed.headings.missing': 'Larder can’t open its folder',
  'failed.headings.folder': 'Larder can’t open its folder',
  'failed.headings.in_use': 'Another program is using this folder',
  'failed.headings.database': 'Larder can’t use its database',
  'failed.headings.port': 'Larder can’t use its port',
  'failed.headings.other': 'Larder did not start',
  'failed.copyPath': 'Copy path',
  'failed.safe': 'Your files have not been changed. They are still in the folder.',
  'failed.looking': 'Checking every 5 seconds',
  'failed.elsewhere.title': 'Or choose the folder’s new location',
  'failed.elsewhere.help': 'If it was moved or the disk was renamed.',
  'failed.choose': 'Choose folder…',
  'failed.openLogs': 'Open log folder',
  'failed.again': '{seconds, plural, =0 {Trying again now…} other {Trying again in # s}}',
  'failed.details': 'Details for support',
  'failed.copyDetails': 'Copy details',
  'failed.unusable': '{folder} can’t be used. {problem}',

  'locked.heading': 'You need a new link',
  'locked.lead': 'Open the link that Larder printed when it started. It works once, within ten minutes.',
  'locked.signInHeading': 'Sign in to the control panel',
  'locked.signInLead': 'The owner signs in with the password of the account. This browser then stays signed in.',
  'locked.signIn': 'Sign in',
  'locked.certificate':
    'The page is on a secure address. A browser that does not trust Larder yet warns about its certificate first.',
  'locked.orLink': 'Open it with a link instead',
  'locked.again': 'To get a new link, run:',
  'locked.command': 'larder control panel.link',

  'noScript.heading': 'This page needs JavaScript',
  'noScript.help':
    'Enable JavaScript for this address, or set up Larder from the command line: larder setup --owner <name> --password-stdin',

  'broken.heading': 'Something went wrong on this page',
  'broken.lead': 'This is a problem with the control panel, not with your files.',
  'broken.again': 'Reload',
  'broken.copy': 'Copy details for support',

  'panelSignIn.heading': 'Sign in to the control panel',
  'panelSignIn.ended':
    'You were signed out because of inactivity or a change to your account. Sign in to continue; your input is kept.',
  'panelSignIn.lead':
    'Only the owner can sign in. Other devices than Larder’s own computer also need two-step sign-in.',
  'panelSignIn.username': 'Username',
  'panelSignIn.password': 'Password',
  'panelSignIn.otp': 'Code',
  'panelSignIn.otpHelp': 'The six digits from your authenticator app.',
  'panelSignIn.useRecovery': 'Use a recovery code',
  'panelSignIn.recovery': 'Recovery code',
  'panelSignIn.show': 'Show password and code',
  'panelSignIn.needed.username': 'Enter your username.',
  'panelSignIn.needed.password': 'Enter your password.',
  'panelSignIn.needed.otp': 'Enter the code from your app.',
  'panelSignIn.submit': 'Sign in',
  'panelSignIn.back': 'Back to the start page',
  'panelSignIn.out': 'Sign out',
} as const;
