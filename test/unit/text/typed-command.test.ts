import { expect, it } from 'vitest';
import { typedCommand } from '../../../dist/main/typed-command.js';

it.each([
  [
    '/Applications/Larder.app/Contents/MacOS/Larder',
    {},
    'darwin',
    '/Applications/Larder.app/Contents/MacOS/Larder --cli',
  ],
  ['C:\\Users\\Ann Fern\\Larder.exe', {}, 'win32', '"C:\\Users\\Ann Fern\\Larder.exe" --cli'],
  ['/tmp/.mount/larder', { APPIMAGE: '/home/ann/Larder.AppImage' }, 'linux', '/home/ann/Larder.AppImage --cli'],
] as const)('the command line of %s is typed with its path', (executable, environment, platform, typed) => {
  expect(typedCommand(executable, environment, platform)).toBe(typed);
});
