// `oauth` issues and checks credentials. This layer decides what they may do.
export type { CredentialGrant } from '../oauth/credential-grant.ts';
