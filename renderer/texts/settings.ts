/** What the pages of settings say: security, mail, and what the API's page has of the household. */
export const securityTexts = {
  title: 'Security',
  lead: 'Who gets in, and for how long.',
  passwords: {
    title: 'Passwords',
    limit: 'Wrong passwords',
    limitHelp: 'In a row. Then the account is paused for 15 minutes, and each time twice as long, up to a day.',
    limitUnit: 'tries',
    least: 'Shortest password',
    leastHelp: 'Passwords that are on lists of known ones are refused, however long.',
    leastUnit: 'characters',
  },
  locked: {
    title: 'Locked accounts',
    none: 'Nobody is locked out.',
    open: 'Open again',
    openOf: (name: string) => `Open again: ${name}`,
  },
  sessions: {
    title: 'Browsers',
    minutes: 'Signed in without a visit',
    minutesHelp: 'For those who did not tick “Keep me signed in”, which lasts 90 days.',
    minutesUnit: 'minutes',
  },
  remote: {
    title: 'Control panel',
    allow: 'On other devices too',
    allowHelp:
      'Off, it opens on this computer only. On, you can sign in to it in a browser at home, with your password and two-step sign-in.',
    address: 'It is at',
  },
  guests: {
    title: 'Guests',
    link: 'A guest’s private link',
    linkHelp: 'Then a new one is needed, which their host sends.',
    linkUnit: 'days',
    kept: 'Keep guests after their last share',
    keptHelp: '0 keeps them, switched off.',
    keptUnit: 'days',
  },
  proxies: {
    title: 'Proxies',
    list: 'Trusted proxies (optional)',
    help: 'Addresses or networks of servers that stand in front of Larder, such as 192.168.1.2 or 10.0.0.0/8. What they say about whom they ask for is believed; from anybody else it counts for nothing.',
  },
} as const;

export const mailTexts = {
  title: 'Mail',
  lead: 'Larder sends links, notices and new passwords through your own mail account.',
  server: {
    title: 'Server',
    host: 'Server (optional)',
    hostHelp: 'As your mail provider names it: smtp.example.org. Empty sends no mail.',
    port: 'Port',
    security: 'Security',
    securities: {
      tls: 'TLS from the start (usually 465)',
      starttls: 'STARTTLS (usually 587)',
      none: 'None, for a server on this computer',
    },
    username: 'User name (optional)',
    usernameHelp: 'Often the whole e-mail address.',
    password: 'Password (optional)',
    passwordKept: 'One is kept. Type another to replace it.',
    passwordHelp: 'Kept here and shown nowhere. Many providers want one made for apps.',
    forget: 'Forget it',
    from: 'From',
    fromHelp: 'The address that mails come from. The provider has to allow it.',
  },
  test: {
    title: 'Try it',
    help: 'With what is saved.',
    to: 'Send a mail to',
    do: 'Send',
    sent: (to: string) => `A mail is on its way to ${to}.`,
    needed: 'Type an e-mail address.',
    unsaved: 'Save the changes first.',
  },
} as const;

export const householdTexts = {
  title: 'Household',
  name: 'Name of the household',
  nameHelp: 'On its pages, and in mails.',
  address: 'Address in mails and links (optional)',
  addressHelp: 'Where Larder is reached from outside, such as https://files.example. Empty is the address it has here.',
  announce: 'Announce on the network',
  announceHelp: 'Apps and computers at home find Larder by themselves. Nothing but its name and address is told.',
} as const;
