/** Errors of shares, guests and web links. */
export const apiSharingMessages = {
  'api.links.notFound': 'This link does not exist.',
  'api.links.ended': 'This link has ended.',
  'api.links.expiryPast': 'The parameter "expiry" is in the past.',
  'api.links.home': 'A home folder cannot have a link.',
  'api.links.none': 'This item has no link.',
  'api.links.ownOnly': 'A link to several items is for files and folders of your own.',
  'api.links.separateOnly': 'The parameter "{parameter}" is only for files/weblink, which creates a separate link.',

  'api.guests.nameMissing': 'The parameter "name" is required for a guest.',
  'api.guests.name':
    'The parameter "name" must have at most {max, plural, one {# character} other {# characters}} and no control characters.',
  'api.guests.email': 'The parameter "email" must be an email address.',
  'api.guests.ownEmail': 'The parameter "email" is your own email address.',
  'api.guests.tooMany': 'You cannot have more than {max, plural, one {# guest} other {# guests}}.',
  'api.guests.notFound': 'This guest does not exist.',
  'api.guests.nothingShared': 'Nothing is shared with this guest any longer.',
  'api.guests.password': 'Guests sign in with a private link and have no password.',
  'api.guests.twoStep': 'Guests sign in with a private link and cannot use two-step sign-in.',
  'api.guests.homeFolder': 'Guests have no home folder.',
  'api.guests.role': 'Guests cannot have a role.',
  'api.guests.group': 'Guests cannot be in groups.',
  'api.guests.administrator': 'Guests cannot be administrators.',

  'api.sharing.self': 'You cannot share an item with yourself.',
  'api.sharing.unknownUser': 'The parameter "uid" is not the ID of a user that you can share with.',
  'api.sharing.unknownGroup': 'The parameter "gid" is not the ID of a group that you can share with.',
  'api.sharing.home': 'A home folder cannot be shared as a whole.',
  'api.sharing.notShared': 'This item is not shared with this user or group.',
} as const;
