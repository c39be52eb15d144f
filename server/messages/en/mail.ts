/** Emails, and why one could not be sent. */
export const mailMessages = {
  'mail.openAddress': 'Or open this address:',
  'mail.why.account': 'Sent by Larder at {household} because this address belongs to an account there.',
  'mail.why.test': 'Sent by Larder at {household} because its owner sent a test email.',
  'mail.why.notifications': 'Sent by Larder at {household} because email notifications are on for your account.',
  'mail.why.invitation': 'Sent by Larder at {household} because someone there shares something with this address.',
  'mail.why.weblink': 'Sent by Larder at {household} because notifications are on for this link.',

  'mail.passwordReset.subject': 'Reset your password for {household}',
  'mail.passwordReset.heading': 'Choose a new password',
  'mail.passwordReset.request':
    'Hello {name}, someone, probably you, requested a new password for your account at {household}.',
  'mail.passwordReset.lifetime':
    'The link works once and expires after an hour. If you did not request it, ignore this email: your password stays the same.',
  'mail.passwordReset.button': 'Choose a new password',

  'mail.test.subject': '{household} can send email',
  'mail.test.heading': 'Email works',
  'mail.test.body': '{household} can now send email, such as links to reset passwords and notifications.',

  'mail.appPassword.subject': 'An app created an app password for your account at {household}',
  'mail.appPassword.heading': 'New app password',
  'mail.appPassword.made':
    'Hello {name}, the app “{app}” created the app password “{label}” for your account at {household}. A program that has it can use your files.',
  'mail.appPassword.help':
    'If you did not expect this, revoke the app password, and the app under “Connected apps” of your account.',
  'mail.appPassword.button': 'See your app passwords',

  'mail.quota.subject': 'Your storage at {household} is nearly full',
  'mail.quota.heading': 'Nearly full',
  'mail.quota.used': 'Hello {name}, your files at {household} use {used} of your {quota}.',
  'mail.quota.help':
    'When your storage is full, you cannot upload any more files. Deleted files and earlier versions count too, so emptying the trash frees up space.',
  'mail.quota.button': 'See what uses space',

  'mail.share.subject': '{sharer} shared “{name}” with you',
  'mail.share.subjectAnonymous': 'Someone shared “{name}” with you',
  'mail.share.heading': '“{name}” is shared with you',
  'mail.share.lead': 'Hello {greeting}, {sharer} shared “{name}” with you.',
  'mail.share.leadAnonymous': 'Hello {greeting}, someone at {household} shared “{name}” with you.',
  'mail.share.where': 'You can find it under “Shared with me” in your apps and on the household’s pages.',
  'mail.share.private':
    'This link is personal: it opens what is shared with you, without a password. Keep it, and do not pass it on.',
  'mail.share.button': 'Open it',

  'mail.weblink.several': '{name} and {count, plural, one {# more item} other {# more items}}',
  'mail.weblink.subject': 'Your link to “{name}” was used',
  'mail.weblink.heading': 'Your link to “{name}”',
  'mail.weblink.lead': 'Hello {greeting}, your link was used:',
  'mail.weblink.news.downloaded':
    '{times, plural, one {“{visitor}” downloaded from it.} other {“{visitor}” downloaded from it # times.}}',
  'mail.weblink.newsAnonymous.downloaded':
    '{times, plural, one {Someone downloaded from it.} other {Someone downloaded from it # times.}}',
  'mail.weblink.news.sent': '“{visitor}” sent {times, plural, one {a file} other {# files}}.',
  'mail.weblink.newsAnonymous.sent': 'Someone sent {times, plural, one {a file} other {# files}}.',
  'mail.weblink.news.commented': '“{visitor}” wrote {times, plural, one {a comment} other {# comments}}.',
  'mail.weblink.newsAnonymous.commented': 'Someone wrote {times, plural, one {a comment} other {# comments}}.',
  'mail.weblink.button': 'See your links',

  'mail.problems.notSetUp': 'No mail server is set up.',
  'mail.problems.credentials': 'The mail server rejected the username or password.',
  'mail.problems.unknownHost': 'There is no mail server with this name.',
  'mail.problems.noAnswer': 'The mail server does not respond as expected: {reason}',
  'mail.problems.notSecure': 'No secure connection to the mail server: {reason}',
  'mail.problems.rejected': 'The mail server rejected the message: {reason}',
  'mail.problems.failed': 'The email could not be created.',
} as const;
