import { warningMessages } from '../../messages/en/api-warnings.ts';

// The panel, which shows these in places of its own, loads them without the rest of the catalogue.

/** What needs attention while plain HTTP is allowed (§1.3). */
export const HTTP_WARNING = warningMessages['api.warnings.http'];

/** Of a backup that lies beside what it is of. */
export const SAME_DISK_NOTE = warningMessages['api.warnings.sameDisk'];
