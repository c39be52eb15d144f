// These libraries use decorators that need the Reflect metadata functions while they are loaded. Modules are evaluated in the
// order written here, so everything that needs them imports this file.
import 'reflect-metadata';

export { AsnConvert } from '@peculiar/asn1-schema';
export {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509';
