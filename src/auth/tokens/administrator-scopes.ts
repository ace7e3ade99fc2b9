/** Administrators who can get tokens. */
export const ADMINISTRATOR_SCOPES = {
  'national-system-admin': ['natlsysadmin', 'sysadmin'],
  'system-admin': ['sysadmin'],
} as const;

export type AdministratorRole = keyof typeof ADMINISTRATOR_SCOPES;
