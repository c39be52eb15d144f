import type { SignInResult } from '../../accounts/sign-in/sign-in.ts';
import type { Scope } from '../../oauth/scopes.ts';

/** Every English sentence of the pages; a translation is another file like this one. */
export const texts = {
  landing: {
    title: (household: string) => household,
    heading: (household: string) => `This is ${household}`,
    lead: 'The household’s own place for files. Apps that know this address can ask for your files, and you decide.',
    trustHeading: 'Let this device trust it',
    trust: 'Until then browsers warn. Download this once, open it, and follow what the device says.',
    certificate: 'Download for this device',
    files: 'Open your files',
    compare: 'The device may show a fingerprint. Compare it with this one:',
    fingerprint: 'Authority fingerprint, SHA-256',
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
    forgotten: 'Forgot your password?',
    forgottenLink: 'Forgot your password?',
    forgottenAsk: (owner: string) => `${owner} looks after this Larder and can give you a new one.`,
    problem: (result: SignInResult, owner: string) => {
      switch (result.outcome) {
        case 'wait':
          return `Too many tries. Wait ${waitOf(result.seconds)}, then try again.`;
        case 'deactivated':
          return `This account is switched off. ${owner} can switch it on again.`;
        case 'expired':
          return `This account has expired. ${owner} can extend it.`;
        default:
          return 'The user name or password is not right. Check for capital letters. After several wrong tries, sign-in pauses for a while.';
      }
    },
    codeHeading: 'Type your code',
    codeLead: (username: string) => `It is in the app for codes on your phone, for ${username}.`,
    code: 'Code',
    codeHelp: 'Six digits, or one of your recovery codes.',
    codeWrong: 'This code is not right, or was used already. Wait for the next one.',
    codeLost: (owner: string) => `No phone and no recovery codes? ${owner} can switch two-step sign-in off for you.`,
  },
  newPassword: {
    heading: 'Choose a new password',
    asked: 'Before you go on, this account needs a new password.',
    forgotten: (username: string) => `For ${username}. Apps and devices sign in again afterwards.`,
    label: 'New password',
    help: 'At least 10 characters. A few words in a row are easy to remember.',
    repeat: 'New password again',
    differ: 'The two passwords differ.',
    submit: 'Save password',
  },
  guest: {
    heading: (name: string) => `Hello ${name}`,
    lead: (household: string) => `Something is shared with you at ${household}.`,
    submit: (name: string) => `Continue as ${name}`,
    insteadOf: (name: string) => `${name} is signed in here, and will be signed out.`,
    private: 'This link is yours alone: whoever has it sees what you see. Do not pass it on.',
    endedHeading: 'This link does not work any more',
    ended: 'It was replaced, or has ended. Ask whoever sent it to you for a new one.',
  },
  forgotten: {
    heading: 'Forgot your password?',
    lead: 'We send you a link with which you can choose a new one.',
    who: 'User name or e-mail address',
    submit: 'Send the link',
    ask: (owner: string) => `${owner} looks after this Larder and can give you a new one.`,
    sentHeading: 'Look at your mail',
    sent: 'If there is an account with that name and an e-mail address, a link is on its way. It works once, for an hour.',
    notComing: (owner: string) => `Nothing comes? Look among unwanted mail, or ask ${owner}.`,
    doneHeading: 'Your password is new',
    done: 'Everywhere else you are signed out now. Sign in with the new password.',
    endedHeading: 'This link has ended',
    ended: 'It works once, for an hour.',
    again: 'Ask for another one',
  },
  confirm: {
    label: 'Your password',
    code: 'Code',
    password: 'This is not your password. Check for capital letters.',
    wait: (seconds: number) => `Too many tries. Wait ${waitOf(seconds)}, then try again.`,
    deactivated:
      'This account is switched off after too many wrong passwords. Whoever looks after this Larder can switch it on again.',
    codeNeeded: 'Type the code that your phone shows now.',
    codeWrong: 'This code is not right, or was used already. Wait for the next one.',
  },
  twoStep: {
    heading: 'Two-step sign-in',
    setUp: {
      heading: 'Set up two-step sign-in',
      lead: 'Besides your password, signing in then asks for a code from your phone. Somebody who finds out your password still cannot get in.',
      asked: 'This household asks for it: besides your password, signing in needs a code from your phone.',
      scan: 'Scan this with an app for codes, such as Aegis, 2FAS or Google Authenticator.',
      qr: 'QR code for the app',
      byHand: 'Cannot scan? Type this key into the app:',
      code: 'Code from the app',
      codeHelp: 'Six digits. They change every half minute.',
      wrong: 'This code is not right. Check the time on your phone, and type the code that the app shows now.',
      submit: 'Switch on',
    },
    codes: {
      heading: 'Your recovery codes',
      lead: 'When your phone is not there, one of these takes its place. Each works once.',
      once: 'They are shown this once. Print them or write them down, and keep them where you keep papers.',
      done: 'I have kept them',
    },
    manage: {
      lead: 'It is on. You can make new recovery codes, which replace the old ones, or switch it off.',
      codes: 'Make new recovery codes',
      off: 'Switch off',
      required: 'This household asks for two-step sign-in, so it cannot be switched off here.',
    },
  },
  bar: { skip: 'Skip to the content', signOut: 'Sign out', files: 'Files', account: 'Your account' },
  profile: {
    heading: 'Edit profile',
    picture: 'Picture',
    pictureHelp: 'A photo from your phone is fine. It is cut to a square, and what the camera wrote into it goes.',
    savePicture: 'Save picture',
    removePicture: 'Remove',
    noPicture: 'Choose a picture first.',
    name: 'First name',
    lastName: 'Last name (optional)',
    email: 'E-mail address (optional)',
    emailHelp: 'For messages from this household, and for a new password if you forget yours.',
    confirm: 'A new e-mail address?',
    confirmHelp: 'Then show that it is you. For anything else, leave this empty.',
    submit: 'Save changes',
  },
  passwordPage: {
    heading: 'Password',
    lead: 'With a new password, all apps and other devices have to sign in again.',
    submit: 'Save password',
  },
  account: {
    title: (household: string) => `Your account at ${household}`,
    editProfile: 'Edit profile',
    back: 'Cancel',
    nav: {
      label: 'Account',
      profile: 'Profile',
      apps: 'Connected apps',
      password: 'Password',
      twoStep: 'Two-step sign-in',
      devices: 'Devices',
    },
    storage: {
      heading: 'Storage',
      used: (size: string) => `${size} used`,
      usedOf: (size: string, quota: string) => `${size} of ${quota} used`,
      state: { care: 'Nearly full', danger: 'Full' },
      empty: 'No files yet.',
      kinds: {
        photos: 'Photos',
        video: 'Video',
        music: 'Music',
        other: 'Everything else',
        past: 'Trash and earlier versions',
      },
    },
    apps: {
      heading: 'Connected apps',
      lead: 'These apps may use your files. Revoke one and it stops at once.',
      none: 'No apps yet. When one asks for your files, you decide, and it appears here.',
      may: (scopes: readonly Scope[]) => mayOf(scopes),
      allowed: 'Allowed',
      from: (address: string) => `from ${address}`,
      places: (count: number) => `in ${count} places`,
      lastUsed: 'Last used',
      neverUsed: 'Not used yet',
      revoke: 'Revoke',
      revokeApp: (app: string) => `Revoke ${app}`,
    },
    twoStep: {
      heading: 'Two-step sign-in',
      onSince: 'On since',
      codesLeft: (count: number) => `${count} of 10 recovery codes left.`,
      off: 'Off. With it, your password alone is not enough to get in.',
      on: 'On',
      change: 'Change',
      setUp: 'Set up',
    },
    password: { heading: 'Password', changed: 'Set', change: 'Change' },
    panel: {
      heading: 'Control panel',
      lead: 'People, apps, backups and everything else of this Larder. You sign in to it once more.',
      open: 'Open',
    },
    devices: {
      heading: 'Devices',
      lead: 'Browsers in which you are signed in.',
      unknown: 'Unknown browser',
      name: (browser: string, system: string | null) => (system === null ? browser : `${browser} on ${system}`),
      signedIn: 'Signed in',
      from: (address: string) => `from ${address}`,
      thisDevice: 'This one',
      lastSeen: 'Last seen',
      signOut: 'Sign out',
      signOutDevice: (device: string) => `Sign out ${device}`,
      signOutOthers: 'Sign out everywhere else',
    },
    done: {
      revoked: 'Done. The app can no longer use your files.',
      signedOut: 'Signed out there.',
      profile: 'Your profile is saved.',
      picture: 'Your picture is saved.',
      password: 'Your password is changed. Everywhere else you are signed out.',
      twoStep: 'Two-step sign-in is on.',
      twoStepOff: 'Two-step sign-in is off. The recovery codes work no more.',
    },
  },
  dates: {
    locale: 'en-GB',
    now: 'just now',
    minutes: (count: number) => (count === 1 ? '1 minute ago' : `${count} minutes ago`),
    today: (clock: string) => `today at ${clock}`,
    yesterday: (clock: string) => `yesterday at ${clock}`,
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
      delete: { title: 'Delete files and folders', help: undefined },
      weblink: { title: 'Make links that others can open', help: undefined },
      share: { title: 'Share with people here and with guests', help: undefined },
      admin: { title: 'Manage the people of this household', help: 'Add, change and remove their accounts' },
    },
    madeBy: 'Made by',
    /** An app with the right to delete can also leave the trash out. */
    deleteHelp: (trashDays: number) =>
      trashDays === 0 ? 'Into the trash, or for good' : `Into the trash for ${trashDays} days, or for good`,
    takeBack: 'You can take this back on',
    accountPage: 'your account page',
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
};

function waitOf(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? 'one second' : `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

/** What an app may do, in one sentence. */
function mayOf(scopes: readonly Scope[]): string {
  const can = (scope: Scope) => scopes.includes(scope);
  const files = [
    ...(can('list') ? ['sees'] : []),
    ...(can('download') ? ['opens'] : []),
    ...(can('upload') ? ['adds'] : []),
    ...(can('modify') ? ['changes'] : []),
    ...(can('delete') ? ['deletes'] : []),
  ];
  const parts = [
    ...(files.length > 0 ? [`${joined(files)} files`] : []),
    ...(can('metadata') ? ['sees and changes tags and comments'] : []),
    ...(can('weblink') ? ['makes links'] : []),
    ...(can('share') ? ['shares with people'] : []),
    ...(can('profile') || can('email') ? [can('email') ? 'sees your name and e-mail address' : 'sees your name'] : []),
    ...(can('admin') ? ['manages the people of this household'] : []),
  ];
  const sentence = parts.join('; ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
