/** Errors of control methods and settings. */
export const apiControlMessages = {
  'api.control.noServer': 'No server is running on this folder. Start it with: {command} serve',
} as const;
