import type { Statement } from '../table.ts';
import { operation, scopeOf } from './references.ts';

const FLOW = 'test/oauth/authorization-code.test.ts';
const TOKEN = 'test/oauth/token-endpoint.test.ts';
const REFRESH = 'test/oauth/refresh.test.ts';
const SIGN_IN = 'test/oauth/sign-in/sign-in.test.ts';
const BEARER = 'test/oauth/bearer.test.ts';
const ACCESS = 'test/spec/access.test.ts';
const TO_THE_PERSON = `${FLOW}: RFC 6749 §4.1.2.1: errors that are shown to the person and never sent to the redirect URI > %s`;
const TO_THE_CLIENT = `${FLOW}: RFC 6749 §4.1.2.1: errors that are sent to the client, with its state > %s`;
const WHOLE_FLOW = `${FLOW}: leads from the app through sign-in and consent to a token, with the state unchanged`;
const EXCHANGE = `${ACCESS}: wants who proves which client it is, the code, and the redirect URI`;
const PASSWORD_URI = `${TOKEN}: compares the redirect URI %s with the registered ones`;
const BOTH_GRANTS = `${TOKEN}: refuses %s for both grants`;

export const beforeScopes: readonly Statement[] = [
  {
    id: '5.0.1',
    says: 'The service uses OAuth 2.0.',
    proof: [
      'test/oauth/client-libraries.test.ts: openid-client: discovery, PKCE, state, refresh, revocation',
      'test/oauth/client-libraries.test.ts: simple-oauth2',
      'test/oauth/client-libraries.test.ts: passport-oauth2, in an app of Express',
    ],
  },
  { id: '5.0.2', says: 'Authorization: GET {base_url}/oauth2/authorize/', proof: [WHOLE_FLOW] },
  {
    id: '5.0.3',
    says: 'Token (all grants): POST {base_url}/oauth2/token/',
    proof: [
      WHOLE_FLOW,
      `${TOKEN}: contains the pair, at %s › /oauth2/token/`,
      `${REFRESH}: returns a new pair`,
      `${TOKEN}: RFC 6749 §3.2: the request > refuses %s › GET`,
    ],
  },
];

export const scopes: readonly Statement[] = [
  {
    id: '5.1.1',
    says: 'The scope parameter is a space-delimited set.',
    proof: [
      `${TOKEN}: grants for "%s" exactly "%s" › upload  list`,
      `${TOKEN}: refuses a scope that is %s › divided by commas`,
      'test/oauth/attacks.test.ts: are granted as requested, in any order, and refused with an unknown one',
    ],
  },
  {
    id: '5.1.2',
    says: 'A token works only for operations within its scopes.',
    proof: [`${BEARER}: $method $operation needs $scopes`, `${BEARER}: covers the scopes of all operations`],
  },
  {
    id: '5.1.3',
    says: 'For example a list token cannot read the profile.',
    proof: [`${REFRESH}: narrows the access token and keeps the full scope for the next refresh`],
  },
  {
    id: '5.1.4',
    says: 'A token may be reused for repeated calls.',
    proof: [
      `${BEARER}: accepts it after "%s"`,
      `${REFRESH}: expires after 30 days, and an access token after 60 minutes (§8)`,
    ],
  },
  { id: '5.1.5', says: 'Scope: profile', proof: scopeOf('Account info') },
  { id: '5.1.6', says: 'Scope: email', proof: [`${BEARER}: returns the e-mail address with its scope only (§2.4)`] },
  { id: '5.1.7', says: 'Scope: list', proof: [...scopeOf('Browse'), ...scopeOf('Search')] },
  { id: '5.1.8', says: 'Scope: metadata', proof: scopeOf('Metadata') },
  { id: '5.1.9', says: 'Scope: upload', proof: [...scopeOf('Upload'), ...scopeOf('Create folder')] },
  { id: '5.1.10', says: 'Scope: download', proof: [...scopeOf('Download'), ...scopeOf('Thumbnail')] },
  { id: '5.1.11', says: 'Scope: modify', proof: [...scopeOf('Rename'), ...scopeOf('Extract'), ...scopeOf('Star')] },
  { id: '5.1.12', says: 'Scope: delete', proof: scopeOf('Delete') },
  { id: '5.1.13', says: 'Scope: weblink', proof: [...scopeOf('Create web link'), ...scopeOf('Remove web link')] },
  { id: '5.1.14', says: 'Scope: share', proof: [...scopeOf('Share'), ...scopeOf('Unshare')] },
  { id: '5.1.15', says: 'Scope: admin', proof: [...scopeOf('Admin: user info'), ...scopeOf('Admin: add user')] },
  {
    id: '5.1.16',
    says: 'The scope each operation requires is in 4.1.',
    proof: [
      'test/spec/operations.test.ts: is there for every row, and the rows are those that the server describes, but for what it has more',
    ],
  },
  {
    id: '5.1.17',
    says: 'These are the scopes: there are no others.',
    proof: [`${TOKEN}: refuses a scope that is %s › unknown`, `${TO_THE_CLIENT} › an unknown scope`],
  },
];

export const authorizationCode: readonly Statement[] = [
  {
    id: '5.2.1',
    says: 'The application redirects the user’s browser to the authorization endpoint with these query parameters.',
    proof: [WHOLE_FLOW, 'test/pages/web-flow.test.ts: people sign in, see the requested scopes, and return to the app'],
  },
  {
    id: '5.2.2',
    says: 'response_type: required, value code.',
    proof: [`${TO_THE_CLIENT} › no response type`, `${TO_THE_CLIENT} › the implicit grant`, WHOLE_FLOW],
  },
  { id: '5.2.3', says: 'client_id: required.', proof: [`${TO_THE_PERSON} › no client`] },
  {
    id: '5.2.4',
    says: 'client_id must exactly match the registered client id.',
    proof: [
      `${TO_THE_PERSON} › an unknown client`,
      `${ACCESS}: wants the client id as it is: not in another case, not with more, not with less`,
    ],
  },
  { id: '5.2.5', says: 'redirect_uri: required.', proof: [`${TO_THE_PERSON} › no redirect URI`] },
  {
    id: '5.2.6',
    says: 'redirect_uri must exactly match a registered redirect URI.',
    proof: [
      'test/oauth/attacks.test.ts: are matched as a whole: nothing is sent to a changed one',
      'test/oauth/attacks.test.ts: of another client are refused',
    ],
  },
  { id: '5.2.7', says: 'redirect_uri: the same scheme.', proof: [`${TO_THE_PERSON} › plain HTTP`] },
  { id: '5.2.8', says: 'redirect_uri: the same case.', proof: [`${TO_THE_PERSON} › another case`] },
  { id: '5.2.9', says: 'redirect_uri: the same trailing slash.', proof: [`${TO_THE_PERSON} › a slash more`] },
  {
    id: '5.2.10',
    says: 'scope: required, space-delimited scopes.',
    proof: [
      `${TO_THE_CLIENT} › no scope`,
      `${TO_THE_CLIENT} › an unknown scope`,
      WHOLE_FLOW,
      'test/oauth/attacks.test.ts: are granted as requested, in any order, and refused with an unknown one',
    ],
  },
  { id: '5.2.11', says: 'state: not required.', proof: [`${ACCESS}: brings no state where none was sent`] },
  {
    id: '5.2.12',
    says: 'state is returned unchanged to the redirect URI.',
    proof: [
      WHOLE_FLOW,
      'test/oauth/attacks.test.ts: is returned unchanged, whatever it contains, and never adds a header',
    ],
  },
  {
    id: '5.2.13',
    says: 'The service authenticates the user.',
    proof: [`${ACCESS}: asks who somebody is before it asks for their consent`],
  },
  {
    id: '5.2.14',
    says: 'The service asks for consent.',
    proof: [
      WHOLE_FLOW,
      `${FLOW}: asks for consent to a confidential client once, unless it requests more or sends prompt=consent`,
      `${FLOW}: a public client without PKCE, while the default mobile client with PKCE continues`,
    ],
  },
  {
    id: '5.2.15',
    says: 'On approval, the browser is sent to the redirect URI with an authorization code and, when sent, the state.',
    proof: [WHOLE_FLOW, `${ACCESS}: brings no state where none was sent`],
  },
  {
    id: '5.2.16',
    says: 'On refusal it gets an error message.',
    proof: [
      `${FLOW}: returns access_denied if the person refuses`,
      `${ACCESS}: brings no state where none was sent`,
      'test/pages/web-flow.test.ts: works without JavaScript, and can be denied',
    ],
  },
  {
    id: '5.2.17',
    says: 'The application exchanges the code with a POST to the token endpoint: grant_type authorization_code.',
    proof: [WHOLE_FLOW, EXCHANGE, `${TOKEN}: refuses the grant %s › implicit`],
  },
  {
    id: '5.2.18',
    says: 'The exchange takes the authorization code.',
    proof: [
      EXCHANGE,
      `${FLOW}: §4.1.2: a code works once; its second use revokes the tokens of the first`,
      `${FLOW}: §4.1.3: a code is valid for its client and redirect URI only, and others cannot invalidate it`,
    ],
  },
  { id: '5.2.19', says: 'The exchange takes client_id.', proof: [EXCHANGE] },
  { id: '5.2.20', says: 'The exchange takes client_secret.', proof: [EXCHANGE] },
  {
    id: '5.2.21',
    says: 'The exchange takes redirect_uri: a registered redirect URI.',
    proof: [
      EXCHANGE,
      `${FLOW}: §4.1.3: a code is valid for its client and redirect URI only, and others cannot invalidate it`,
    ],
  },
  { id: '5.2.22', says: 'The response is as in 2.3.', proof: [EXCHANGE] },
  {
    id: '5.2.23',
    says: 'Advice: do not render third-party resources on the page that receives the code. Redirect to a URL without the code.',
    proof: [],
    why: 'It is advice to those who write apps, about a page of theirs.',
  },
];

export const passwordFlow: readonly Statement[] = [
  {
    id: '5.3.1',
    says: 'POST to the token endpoint with grant_type password.',
    proof: [
      `${TOKEN}: contains the pair, at %s › /oauth2/token/`,
      `${TOKEN}: RFC 6749 §3.2: the request > refuses %s › GET`,
      `${TOKEN}: refuses a missing or empty %s › grant_type`,
    ],
  },
  {
    id: '5.3.2',
    says: 'The password flow takes username.',
    proof: [
      `${TOKEN}: refuses a missing or empty %s › username`,
      `${TOKEN}: answers a user name with %s like every unknown one › an emoji`,
    ],
  },
  {
    id: '5.3.3',
    says: 'The password flow takes password.',
    proof: [
      `${TOKEN}: refuses a missing or empty %s › password`,
      `${TOKEN}: accepts the user name in any case, and both Unicode forms of the password`,
    ],
  },
  {
    id: '5.3.4',
    says: 'The password flow takes scope.',
    proof: [`${TOKEN}: refuses a scope that is %s › absent`, `${TOKEN}: grants for "%s" exactly "%s" › list list`],
  },
  {
    id: '5.3.5',
    says: 'The password flow takes client_id.',
    proof: [`${BOTH_GRANTS} › no client id`, `${BOTH_GRANTS} › an unknown client`],
  },
  {
    id: '5.3.6',
    says: 'The password flow takes client_secret.',
    proof: [
      `${BOTH_GRANTS} › a wrong secret`,
      `${TOKEN}: refuses a confidential client without a secret, or with an empty one in Basic`,
    ],
  },
  {
    id: '5.3.7',
    says: 'The password flow takes redirect_uri, a registered one.',
    proof: [
      `${PASSWORD_URI} › https://app.example/callback`,
      `${PASSWORD_URI} › https://app.example/callback/`,
      `${PASSWORD_URI} › https://app.example/Callback`,
      `${PASSWORD_URI} › http://app.example/callback`,
      `${PASSWORD_URI} › https://evil.example/`,
    ],
  },
  {
    id: '5.3.8',
    says: 'The response is as in 2.3.',
    proof: [`${TOKEN}: contains the pair, at %s › /oauth2/token/`],
  },
  {
    id: '5.3.9',
    says: 'Wrong-password attempts are protected like the regular login.',
    proof: [
      'test/oauth/sign-in/browser-sessions.test.ts: show one message for all wrong passwords, keep the name, and count with the password grant',
      `${ACCESS}: shut the account for the regular sign-in as well`,
      `${SIGN_IN}: answers 429 with Retry-After for any password, and counts nothing`,
    ],
  },
  {
    id: '5.3.10',
    says: 'Too many of them deactivate the account.',
    proof: [`${SIGN_IN}: happens at the fifth`, `${SIGN_IN}: uses the configured limit`],
  },
];

export const refresh: readonly Statement[] = [
  {
    id: '5.4.1',
    says: 'POST to the token endpoint with grant_type refresh_token.',
    proof: [`${REFRESH}: returns a new pair`, `${TOKEN}: RFC 6749 §3.2: the request > refuses %s › GET`],
  },
  {
    id: '5.4.2',
    says: 'Refreshing takes refresh_token.',
    proof: [
      `${REFRESH}: refuses a missing token, an access token, and the token of another client`,
      `${REFRESH}: refuses a token that is %s › unknown`,
    ],
  },
  {
    id: '5.4.3',
    says: 'Refreshing takes client_id.',
    proof: [
      `${BOTH_GRANTS} › no client id`,
      `${REFRESH}: refuses a missing token, an access token, and the token of another client`,
    ],
  },
  {
    id: '5.4.4',
    says: 'Refreshing takes client_secret.',
    proof: [
      `${BOTH_GRANTS} › a wrong secret`,
      `${TOKEN}: refuses a confidential client without a secret, or with an empty one in Basic`,
    ],
  },
  {
    id: '5.4.5',
    says: 'The response is identical to the initial token response.',
    proof: [`${TOKEN}: has the same form for a refresh`],
  },
];

export const calling: readonly Statement[] = [
  {
    id: '5.5.1',
    says: 'Send the header Authorization: Bearer <ACCESS_TOKEN>.',
    proof: [`${BEARER}: accepts it after "%s"`, `${BEARER}: never accepts it in the query, the body or a cookie`],
  },
  {
    id: '5.5.2',
    says: 'Without the header, the service replies with an error saying a required parameter is missing or invalid and to check the access_token parameter.',
    proof: [
      `${BEARER}: challenges a request without credentials and names no error (§3.1)`,
      `${BEARER}: refuses %s › nothing behind the scheme`,
      ...operation('Browse').slice(2),
    ],
  },
  {
    id: '5.5.3',
    says: 'On Apache the fix is a rewrite rule that copies the Authorization header, in the virtual host section.',
    proof: [],
    why: 'It is about the configuration of another web server; this one has the header itself.',
  },
];
