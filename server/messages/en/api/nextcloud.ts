/** Errors of the endpoints for Nextcloud apps. */
export const apiNextcloudMessages = {
  'api.nextcloud.header': 'Send the header "OCS-APIRequest: true".',
  'api.nextcloud.appPassword': 'Only an app that uses an app password can end it here.',
  'api.nextcloud.tooManyLogins': 'Too many apps of this device are waiting for sign-in. Try again in 20 minutes.',
} as const;
