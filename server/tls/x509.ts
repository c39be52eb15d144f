// Imported first, for its order of evaluation.
import './asn1.ts';

export {
  AuthorityKeyIdentifierExtension,
  Extension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
