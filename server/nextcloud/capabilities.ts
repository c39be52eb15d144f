import type { AccountRecord } from '../accounts/account-record.ts';
import { DEVICE_NAMES, FORBIDDEN_CHARACTERS, FORBIDDEN_ENDINGS } from '../lib/names/names.ts';
import type { OcsValue } from './ocs.ts';
import { BITS_BY_DEFAULT } from './sharing/permissions.ts';

/**
 * The version that clients compare with what they need. They talk to this server as to that release, and find in the capabilities
 * which of its parts exist here.
 */
const SPOKEN = { major: 28, minor: 0, micro: 14, string: '28.0.14', edition: '', extendedSupport: false } as const;

/** Sent without sign-in: clients look for it first. */
export function statusOfServer(household: string): Record<string, unknown> {
  return {
    installed: true,
    maintenance: false,
    needsDbUpgrade: false,
    version: `${SPOKEN.string}.1`,
    versionstring: SPOKEN.string,
    edition: '',
    productname: household,
    extendedSupport: false,
  };
}

/** No name on a disk can have NUL, which ends texts in some clients. */
const CHARACTERS = FORBIDDEN_CHARACTERS.filter((character) => character !== '\0');

/** Which parts of the protocol exist here. What is not in it, clients do not use. */
export function capabilities({
  household,
  address,
  account: { permissions },
}: {
  household: string;
  address: string;
  account: Pick<AccountRecord, 'permissions'>;
}): OcsValue {
  return {
    version: SPOKEN,
    capabilities: {
      core: { pollinterval: 60, 'webdav-root': 'remote.php/webdav' },
      dav: { chunking: '1.0' },
      // Both contents of a conflict are then on every computer.
      uploadConflictFiles: true,
      checksums: { supportedTypes: ['SHA256', 'SHA1', 'MD5', 'ADLER32'], preferredUploadType: 'SHA256' },
      files: {
        bigfilechunking: true,
        undelete: true,
        versioning: true,
        version_labeling: false,
        version_deletion: true,
        // Older clients know only whole names.
        blacklisted_files: DEVICE_NAMES,
        forbidden_filenames: DEVICE_NAMES,
        forbidden_filename_basenames: DEVICE_NAMES,
        forbidden_filename_characters: CHARACTERS,
        forbidden_filename_extensions: FORBIDDEN_ENDINGS,
      },
      files_sharing: sharing(permissions),
      theming: { name: household, url: address, slogan: '', productName: household },
    },
  };
}

/** Whether a link or share ends by itself unless someone says otherwise. */
const NEVER_BY_ITSELF = { enabled: false };

/**
 * What apps offer. Whether the app may share is not in it: an app that may not is told how its person can allow it. Rights to share
 * further are kept as they are asked for, but apps are not to add them by themselves.
 */
function sharing({ weblink }: AccountRecord['permissions']): OcsValue {
  return {
    api_enabled: true,
    public: {
      enabled: weblink,
      password: { enforced: false, askForOptionalPassword: false },
      multiple: false,
      multiple_links: false,
      expire_date: NEVER_BY_ITSELF,
      expire_date_internal: NEVER_BY_ITSELF,
      expire_date_remote: NEVER_BY_ITSELF,
      send_mail: false,
      upload: true,
      upload_files_drop: true,
      supports_upload_only: true,
    },
    resharing: false,
    user: { send_mail: false, expire_date: NEVER_BY_ITSELF },
    group_sharing: true,
    group: { enabled: true, expire_date: NEVER_BY_ITSELF },
    default_permissions: BITS_BY_DEFAULT,
    federation: { outgoing: false, incoming: false, expire_date: NEVER_BY_ITSELF },
    sharebymail: { enabled: false },
    sharee: { query_lookup_default: false, always_show_unique: false },
  };
}
