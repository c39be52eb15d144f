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
  'api.nextcloud.totalLength': 'The header "OC-Total-Length" must be the size of the file in bytes.',
  'api.nextcloud.wrongLength':
    'The parts have {received, number} bytes together, but the file has {stated, number}. Send what is missing.',
  'api.nextcloud.transferExists': 'This transfer has begun already.',
  'api.nextcloud.transferId':
    'The name of a transfer must have 1 to 255 letters, digits, and characters of "-._~@+=,:".',
  'api.nextcloud.tooManyLogins': 'Too many apps of this device are waiting for sign-in. Try again in 20 minutes.',
} as const;
