/** The warning while plain HTTP is allowed (§1.3). The panel shows it in its own place. */
export const HTTP_WARNING =
  'Plain HTTP is allowed: passwords, tokens and files travel readable for everyone on the network. For testing only; turn it off.';

/** The note on a backup on the same disk as its source. */
export const SAME_DISK_NOTE =
  'The backup is on the same disk as Larder itself: it does not help when that disk fails. Choose a place on another one (backupPlace).';
