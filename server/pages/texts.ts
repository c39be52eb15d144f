/** Every English sentence of the pages; a translation is another file like this one. */
export const texts = {
  landing: {
    title: (household: string) => household,
    heading: (household: string) => `This is ${household}`,
    lead: 'The household’s own place for files. Apps that know this address can ask for your files, and you decide.',
    trustHeading: 'Let this device trust it',
    trust: 'Until then browsers warn. Download this once, open it, and follow what the device says.',
    certificate: 'Download for this device',
    compare:
      'The device may show a long number. It has to be this one, and whoever looks after the house sees the same:',
  },
  missing: {
    title: 'Nothing here',
    heading: 'There is nothing here',
    lead: 'The address may be mistyped, or what it led to is gone.',
    home: 'Go to the first page',
  },
  signIn: {
    title: (household: string) => `Sign in to ${household}`,
    heading: 'Sign in',
    lead: 'with the name and password you have here',
    toApp: (app: string) => `to continue to ${app}`,
    username: 'User name',
    password: 'Password',
    keep: 'Keep me signed in',
    keepHelp: 'Only on a device that is yours.',
    submit: 'Sign in',
    forgotten: (owner: string) => `Forgot your password? ${owner} looks after this Larder and can give you a new one.`,
    problem: (
      result: { outcome: 'refused' } | { outcome: 'deactivated' } | { outcome: 'wait'; seconds: number },
      owner: string,
    ) => {
      if (result.outcome === 'refused') return 'The user name or password is not right. Check for capital letters.';
      if (result.outcome === 'deactivated') return `This account is switched off. ${owner} can switch it on again.`;
      return `Too many tries. Wait ${waitOf(result.seconds)}, then try again.`;
    },
  },
  consent: {
    heading: (app: string) => `${app} wants to use your files`,
    back: 'Afterwards you go back to',
    thisDevice: 'the app on this device',
    at: (household: string) => `at ${household}`,
    switch: 'Not you? Switch',
    groups: {
      account: 'Your account',
      files: 'Your files',
      sharing: 'Sharing',
      household: 'The household',
    },
    scopes: {
      profile: { title: 'See your name and user name', help: undefined },
      email: { title: 'See your e-mail address', help: undefined },
      list: { title: 'See what is there', help: 'Names, dates and sizes of files and folders' },
      metadata: { title: 'See and change tags, ratings and comments', help: undefined },
      upload: { title: 'Add files and folders', help: undefined },
      download: { title: 'Open and download', help: undefined },
      modify: { title: 'Rename, star and unpack', help: undefined },
      delete: { title: 'Delete files and folders', help: 'Also for good' },
      weblink: { title: 'Make links that others can open', help: undefined },
      share: { title: 'Share with people here and with guests', help: undefined },
      admin: { title: 'Manage the people of this household', help: 'Add, change and remove their accounts' },
    },
    lookTwice: 'Look twice',
    cancel: 'Cancel',
    allow: 'Allow',
  },
  failed: {
    heading: 'That did not work',
    why: (code: string) =>
      ({
        permission_denied:
          'This page has waited too long, or was sent from somewhere else. Go back to the app and begin again.',
        api_disabled: 'Apps are switched off here at the moment. Whoever looks after this Larder can switch them on.',
        https_required: 'This page is shown over a secure connection only. Use the address that begins with https.',
      })[code],
  },
  refusal: {
    heading: 'This app asked in a way that is not safe',
    why: {
      client: 'It is not registered here, or gave a wrong name for itself.',
      redirect: 'It wants you to go on to an address that is not registered for it.',
      repeated: 'It said something twice, so that it is not clear what it wants.',
    },
    help: 'Nothing was given to it. Go back to the app and try again; if that does not help, ask whoever looks after this Larder.',
  },
  setup: {
    title: 'Welcome to Larder',
    heading: 'Welcome to Larder',
    lead: 'One folder on this computer keeps your household’s files. You look after it: choose your user name and password.',
    owner: 'User name',
    ownerHelp: 'Letters and digits. Your files will be in a folder of this name.',
    password: 'Password',
    passwordHelp: 'At least 10 characters. A few words in a row are easy to remember.',
    repeat: 'Password again',
    api: 'Enable API',
    apiHelp: 'Lets apps reach files over HTTPS with your permission. You can turn it off at any time.',
    submit: 'Set up',
    shelves: 'Each person gets a folder of ordinary files. Trash, versions and keys have a shelf of their own.',
  },
  overview: {
    title: (household: string) => `${household} is ready`,
    heading: (household: string) => `${household} is ready`,
    lead: 'Larder runs as long as this computer does. Now let apps and devices in.',
    addresses: 'Addresses',
    addressesHelp: 'Apps and browsers of the household reach Larder here.',
    folder: 'Folder',
    trust: 'Trust this Larder on each device',
    trustHelp: 'Once per device, so that it knows the connection is really yours. Until then browsers warn.',
    certificate: 'Save certificate',
    authority: 'Fingerprint of what devices install, SHA-256',
    fingerprint: 'Fingerprint of this server, SHA-256',
    next: 'On the command line',
  },
  locked: {
    heading: 'This page needs a fresh link',
    lead: 'Open the link that larder serve printed. It works once, for ten minutes.',
    again: 'A new one comes with',
    command: 'larder control panel.link',
  },
  noScript: {
    heading: 'This page needs JavaScript',
    lead: 'Allow it for this address, or set Larder up on the command line:',
    command: 'larder setup --owner <name>',
  },
  /** What the owner's pages say later, in the browser. */
  script: {
    noAnswer: 'Larder does not answer. Is it still running? What you typed is still here.',
    needed: { owner: 'Choose a user name.', password: 'Choose a password.', repeat: 'Type the password once more.' },
    differ: 'The two passwords differ.',
    copy: 'Copy',
    copied: 'Copied',
    apiOn: 'The API is on. This registers an app and shows its id and secret, once.',
    apiOff: 'The API is off. The first line turns it on, the second registers an app.',
    enable: `larder control settings.update '{"apiEnabled":true}'`,
    client: `larder control clients.add '{"name":"My app"}'`,
  },
};

function waitOf(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? 'one second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
