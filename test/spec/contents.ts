import * as service from './statements/1-service.ts';
import * as accounts from './statements/2-accounts.ts';
import * as resources from './statements/2-resources.ts';
import { states } from './statements/3-states.ts';
import * as summary from './statements/4-1-summary.ts';
import { fileParameters } from './statements/4-2-files.ts';
import { sharingParameters } from './statements/4-2-sharing.ts';
import * as authentication from './statements/5-authentication.ts';
import { errors } from './statements/7-errors.ts';
import { limits } from './statements/8-limits.ts';
import type { Section } from './table.ts';

/**
 * The table of contents of the API document, typed by hand. What stands before the first section is 0, and what stands
 * in a chapter before its own first section has the number of the chapter and 0.
 */
export const contents: readonly Section[] = [
  { id: '0', title: 'File Storage Service HTTP API', statements: service.document },
  { id: '1', title: 'What the service does', statements: service.service },
  { id: '2.1', title: 'Virtual paths', statements: resources.paths },
  { id: '2.2', title: 'Client application', statements: resources.client },
  { id: '2.3', title: 'Token response', statements: resources.tokens },
  { id: '2.4', title: 'Account information', statements: resources.account },
  { id: '2.5', title: 'Listing result', statements: resources.listing },
  { id: '2.6', title: 'Web link', statements: resources.webLink },
  { id: '2.7', title: 'Share permissions', statements: accounts.sharePermissions },
  { id: '2.8', title: 'User account', statements: accounts.userAccount },
  { id: '3', title: 'States and transitions', statements: states },
  { id: '4.0', title: 'Endpoints', statements: summary.beforeSummary },
  { id: '4.1', title: 'Summary', statements: summary.operations },
  { id: '4.2', title: 'Request parameters', statements: [...fileParameters, ...sharingParameters] },
  { id: '5.0', title: 'Authentication', statements: authentication.beforeScopes },
  { id: '5.1', title: 'Scopes', statements: authentication.scopes },
  { id: '5.2', title: 'Authorization code flow', statements: authentication.authorizationCode },
  { id: '5.3', title: 'Password flow', statements: authentication.passwordFlow },
  { id: '5.4', title: 'Refresh', statements: authentication.refresh },
  { id: '5.5', title: 'Calling the API', statements: authentication.calling },
  {
    ...{ id: '6', title: 'Events', statements: [] },
    none: 'The document says of events, webhooks and notifications that they are not shown.',
  },
  { id: '7', title: 'Errors', statements: errors },
  { id: '8', title: 'Limits', statements: limits },
  {
    ...{ id: '9', title: 'Versioning', statements: [] },
    none: 'The document says that versioning is not shown, and that the list at /ROOT may change in the future.',
  },
];
