/** The texts for visitors of a link, by the codes of failures: those of the API would tell about the household. */
export const LINK_FAILURES = {
  storage_offline: 'links.errors.storageOffline',
  not_found: 'links.errors.notFound',
  permission_denied: 'links.errors.noPermission',
  https_required: 'links.errors.httpsRequired',
  quota_exceeded: 'links.errors.noSpace',
  disk_full: 'links.errors.noSpace',
  temporarily_unavailable: 'links.errors.unavailable',
  type_not_allowed: 'links.errors.typeNotAllowed',
  already_exists: 'links.errors.alreadyExists',
} as const;
