/** Errors about accounts, groups, roles and passwords. */
export const apiAccountsMessages = {
  'api.passwords.wait': 'Too many wrong passwords. Try again in {seconds, plural, one {# second} other {# seconds}}.',
} as const;
