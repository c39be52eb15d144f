import { createPrivateKey, createPublicKey, X509Certificate as ParsedCertificate, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import { generate } from 'selfsigned';
import { DAY, SECOND } from '../lib/clock.ts';
import type { CriticalExtension } from './household-constraints.ts';
import {
  AuthorityKeyIdentifierExtension,
  Extension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from './x509.ts';

const EC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' };
const AUTHORITY_DAYS = 20 * 365.25;
const SERVER_DAYS = 397;
/** A machine without a clock battery starts in 1970: an authority created then must not be expired today. */
const EARLIEST_SENSIBLE_NOW = Date.UTC(2025, 0, 1);

/** A certificate and its private key (PKCS #8), both PEM. */
export interface Issued {
  readonly certificate: string;
  readonly key: string;
}

/**
 * Issues a certificate authority: ECDSA P-256, valid for 20 years, without subordinate authorities and restricted by
 * `constraints`. Uses `key` (PEM, P-256) if given, otherwise a new key pair.
 */
export async function issueAuthority(order: {
  commonName: string;
  constraints: CriticalExtension;
  now: number;
  key?: string;
}): Promise<Issued> {
  const { key } = order;
  const end = Math.max(order.now, EARLIEST_SENSIBLE_NOW) + AUTHORITY_DAYS * DAY;
  const draft = await generate([{ name: 'commonName', value: order.commonName }], {
    ...EC,
    notBeforeDate: dayBefore(order.now),
    notAfterDate: new Date(end),
    ...(key === undefined ? {} : { keyPair: { privateKey: key, publicKey: publicPem(key) } }),
    extensions: [
      { name: 'basicConstraints', critical: true, cA: true, pathLenConstraint: 0 },
      { name: 'keyUsage', critical: true, keyCertSign: true, cRLSign: true },
    ],
  });
  const self = new X509Certificate(draft.cert);
  const certificate = await complete(self, {
    subject: self,
    issuer: self,
    signingKey: draft.private,
    extensions: [new Extension(order.constraints.oid, true, order.constraints.value)],
  });
  return { certificate, key: draft.private };
}

/**
 * Issues a server certificate for `names` (from `certificateName`), with a new key, for 397 days from a day ago: devices refuse
 * more than 398, and clocks in a household differ. The subject is empty and the names critical (RFC 5280 §4.2.1.6), so that no
 * verifier uses a common name as a host name beyond the authority's constraints.
 */
export async function issueServer(order: {
  names: readonly string[];
  authority: Issued;
  now: number;
}): Promise<Issued> {
  const notBefore = dayBefore(order.now);
  const draft = await generate([{ name: 'commonName', value: 'draft' }], {
    ...EC,
    notBeforeDate: notBefore,
    notAfterDate: new Date(notBefore.getTime() + SERVER_DAYS * DAY),
    extensions: [
      { name: 'basicConstraints', critical: true, cA: false },
      { name: 'keyUsage', critical: true, digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        critical: true,
        altNames: order.names.map((name) => (isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name })),
      },
    ],
  });
  const authority = new X509Certificate(order.authority.certificate);
  const certificate = await complete(new X509Certificate(draft.cert), {
    issuer: authority,
    signingKey: order.authority.key,
    extensions: [],
  });
  return { certificate, key: draft.private };
}

/**
 * `selfsigned` creates the key pair, serial number, validity and usual extensions, but neither key identifiers, which strict
 * verifiers require (RFC 5280 §4.2.1.1, §4.2.1.2), nor name constraints: its draft is issued again with them.
 */
async function complete(
  draft: X509Certificate,
  order: { subject?: X509Certificate; issuer: X509Certificate; signingKey: string; extensions: readonly Extension[] },
): Promise<string> {
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: draft.serialNumber,
      notBefore: draft.notBefore,
      notAfter: draft.notAfter,
      ...(order.subject === undefined ? {} : { subject: order.subject.subjectName }),
      issuer: order.issuer.subjectName,
      publicKey: draft.publicKey,
      signingKey: await signingKey(order.signingKey),
      signingAlgorithm: SIGNATURE,
      extensions: [
        ...draft.extensions,
        ...order.extensions,
        await SubjectKeyIdentifierExtension.create(draft.publicKey, false, webcrypto),
        await authorityKeyIdentifier(order.issuer),
      ],
    },
    webcrypto,
  );
  return new ParsedCertificate(certificate.toString('pem')).toString();
}

/** The issuer's own identifier if it has one, because issuers may compute it differently. */
async function authorityKeyIdentifier(issuer: X509Certificate): Promise<Extension> {
  const known = issuer.getExtension(SubjectKeyIdentifierExtension);
  if (known !== null) return new AuthorityKeyIdentifierExtension(known.keyId);
  return AuthorityKeyIdentifierExtension.create(issuer.publicKey, false, webcrypto);
}

async function signingKey(pem: string): Promise<webcrypto.CryptoKey> {
  const pkcs8 = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  return webcrypto.subtle.importKey('pkcs8', pkcs8, { name: 'ECDSA', namedCurve: EC.curve }, false, ['sign']);
}

function publicPem(privatePem: string): string {
  return createPublicKey(privatePem).export({ type: 'spki', format: 'pem' }).toString();
}

function dayBefore(now: number): Date {
  return new Date(Math.floor((now - DAY) / SECOND) * SECOND);
}
