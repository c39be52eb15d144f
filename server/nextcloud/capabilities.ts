import type { OcsValue } from './ocs.ts';

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

/** What no new name may contain, be, or end with (`lib/names`). */
const FORBIDDEN_CHARACTERS = ['/', '\\', ':', '*', '?', '"', '<', '>', '|'];
const FORBIDDEN_BASENAMES = [
  ...['con', 'prn', 'aux', 'nul', 'conin$', 'conout$'],
  ...['com', 'lpt'].flatMap((port) =>
    Array.from({ length: 10 }, (_, number) => `${port}${number}`).concat(['¹', '²', '³'].map((n) => `${port}${n}`)),
  ),
];
const FORBIDDEN_ENDINGS = [' ', '.'];

/** Which parts of the protocol exist here. What is not in it, clients do not use. */
export function capabilities({ household, address }: { household: string; address: string }): OcsValue {
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
        // Deleted items and earlier contents are kept, but not yet listed in this protocol.
        undelete: false,
        versioning: false,
        blacklisted_files: [],
        forbidden_filenames: [],
        forbidden_filename_basenames: FORBIDDEN_BASENAMES,
        forbidden_filename_characters: FORBIDDEN_CHARACTERS,
        forbidden_filename_extensions: FORBIDDEN_ENDINGS,
      },
      files_sharing: { api_enabled: false },
      theming: { name: household, url: address, slogan: '', productName: household },
    },
  };
}
