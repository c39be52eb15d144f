// The certificate library builds on decorators that need the Reflect metadata functions at the moment it is loaded.
// Modules are evaluated in the order they are written here, so everything that needs the library imports this file.
import 'reflect-metadata';

export { AsnConvert } from '@peculiar/asn1-schema';
export {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509';
export {
  AuthorityKeyIdentifierExtension,
  Extension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
