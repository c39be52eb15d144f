/** Errors of sign-in with OAuth. */
export const apiOauthMessages = {
  'api.clients.logo': 'The logo must be a JPEG, PNG, WebP, GIF, AVIF or TIFF picture in base64.',
} as const;
