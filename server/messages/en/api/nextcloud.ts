/** Errors of the endpoints for Nextcloud apps. */
export const apiNextcloudMessages = {
  'api.nextcloud.header': 'Send the header "OCS-APIRequest: true".',
  'api.nextcloud.appPassword': 'Only an app that uses an app password can end it here.',
  'api.nextcloud.noDestination':
    'You have no files of your own, so the Destination header must say where the file is to go.',
  'api.nextcloud.noParts': 'No part of the file has arrived.',
  'api.nextcloud.partName':
    'The name of a part must be a number up to {most, number}, or its first and last byte with "-" between them.',
  'api.nextcloud.partsDoNotMeet': 'The part "{name}" does not begin where the part before it ends.',
  'api.nextcloud.pixels': 'Width and height must be numbers of pixels.',
  'api.nextcloud.shares.bits': 'The permissions of a share are a sum of 1, 2, 4, 8 and 16: between 1 and {max}.',
  'api.nextcloud.shares.count': 'The parameter "{parameter}" must be a whole number from 1.',
  'api.nextcloud.shares.date': 'Send the date as YYYY-MM-DD.',
  'api.nextcloud.shares.exists': 'You share this item with them already. Change that share.',
  'api.nextcloud.shares.group': 'There is no such group that you can share with.',
  'api.nextcloud.shares.hideDownload': 'A link that shows an item here lets visitors download it, too.',
  'api.nextcloud.shares.link': 'Link',
  'api.nextcloud.shares.linkBits': 'A link must allow reading, or adding files to a folder.',
  'api.nextcloud.shares.linkExists': 'You have a link to this item already. Change that link.',
  'api.nextcloud.shares.linkOnly': 'Only links can have a password or expire here.',
  'api.nextcloud.shares.linkReads': 'A link that allows changes must allow reading.',
  'api.nextcloud.shares.mayNot':
    'This app may not share. Connect it again, and choose there that it may share files and create links.',
  'api.nextcloud.shares.noFolder': 'Only a folder has items in it.',
  'api.nextcloud.shares.noText': 'Shares have no notes and no labels here.',
  'api.nextcloud.shares.nothing': 'Send what is to change.',
  'api.nextcloud.shares.notYours': 'Only the person who shares this can change or end it.',
  'api.nextcloud.shares.path': 'Send the path of a file or folder.',
  'api.nextcloud.shares.reads': 'A share with people must allow reading.',
  'api.nextcloud.shares.somebody': 'Somebody',
  'api.nextcloud.shares.temporary': 'A link for a short time or for one download cannot be changed.',
  'api.nextcloud.shares.type': 'Share with a user (0) or a group (1), or create a link (3).',
  'api.nextcloud.shares.unknown': 'There is no such share.',
  'api.nextcloud.shares.user': 'There is no such user that you can share with.',
  'api.nextcloud.totalLength': 'The header "OC-Total-Length" must be the size of the file in bytes.',
  'api.nextcloud.wrongLength':
    'The parts have {received, number} bytes together, but the file has {stated, number}. Send what is missing.',
  'api.nextcloud.transferExists': 'This transfer has begun already.',
  'api.nextcloud.transferId':
    'The name of a transfer must have 1 to 255 letters, digits, and characters of "-._~@+=,:".',
  'api.nextcloud.tooManyLogins': 'Too many apps of this device are waiting for sign-in. Try again in 20 minutes.',
} as const;
