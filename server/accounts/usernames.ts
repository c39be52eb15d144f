/** §2.8: letters, digits, and as special characters only underscores, dashes, @, dots and spaces. */
const ALLOWED = /^[\p{L}\p{M}\p{N}_\-@. ]+$/u;
const DEVICE = /^(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;
const MAX_LENGTH = 64;

/** Why a user name may not be given, as a sentence, or null when it may. A home is named after it, hence the devices. */
export function usernameProblem(username: string): string | null {
  if (username === '') return 'A user name is needed.';
  if (username.length > MAX_LENGTH || Buffer.byteLength(username) > 200) {
    return `A user name is at most ${MAX_LENGTH} characters long.`;
  }
  if (!ALLOWED.test(username)) {
    return 'A user name has letters and digits, and of other characters only underscores, dashes, @, dots and spaces.';
  }
  if (/^[. ]|[. ]$/.test(username)) return 'A user name neither begins nor ends with a dot or a space.';
  if (DEVICE.test(username)) return 'This user name stands for a device on Windows.';
  return null;
}

/** Names that are equal after this are the same name. */
export function foldUsername(username: string): string {
  return username.normalize('NFKC').toLowerCase();
}
