/** The administrators for whom tokens can be created. */
export const ADMINISTRATOR_SCOPES = {
  'national-system-admin': ['natlsysadmin', 'sysadmin'],
  'system-admin': ['sysadmin'],
} as const;

/** The name of such an administrator. */
export type AdministratorRole = keyof typeof ADMINISTRATOR_SCOPES;
