import { createHash } from 'node:crypto';
import { once } from '../../lib/async/once.ts';

// Loaded on first use: few sessions need it.
const plist = once(async () => (await import('plist')).default);

/** The media type that makes Safari offer the profile for installation. */
export const PROFILE_TYPE = 'application/x-apple-aspen-config';

/** Characters that XML 1.0 §2.2 does not allow, also not as references. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/**
 * A configuration profile for iPhone, iPad and Mac with one root certificate, and nothing else. Its identifiers depend on the
 * certificate only, so that a second installation replaces the first.
 * @param pem the certificate of the household's authority
 * @returns a property list in XML
 */
export async function trustProfile({ household, pem }: { household: string; pem: string }): Promise<string> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----/g, ''), 'base64');
  const fingerprint = createHash('sha256').update(der).digest('hex');
  const name = household.replace(NOT_IN_XML, '').trim();
  const identifier = `local.larder.${fingerprint.slice(0, 16)}`;
  const { build } = await plist();
  return build({
    PayloadContent: [
      {
        PayloadCertificateFileName: 'larder-ca.crt',
        PayloadContent: der,
        PayloadDisplayName: name,
        PayloadIdentifier: `${identifier}.root`,
        PayloadType: 'com.apple.security.root',
        PayloadUUID: uuidOf(`${fingerprint} root`),
        PayloadVersion: 1,
      },
    ],
    PayloadDisplayName: name,
    PayloadIdentifier: identifier,
    PayloadType: 'Configuration',
    PayloadUUID: uuidOf(fingerprint),
    PayloadVersion: 1,
  });
}

/** A UUID made from a text (version 8, RFC 9562 §5.8), in capitals as Apple writes them. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex').toUpperCase();
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
