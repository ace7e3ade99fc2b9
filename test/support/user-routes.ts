import type { Service } from './auth-service.js';

/** A clerk, who administers nobody; administrators of an area and of the country; a registrar of the country. */
export const ROLES = [
  { id: 'CLERK', label: 'Clerk', scopes: ['type=record.search&placeOfEvent=location'] },
  {
    id: 'LOCAL_ADMIN',
    label: 'Administrator',
    scopes: [
      'type=record.search&placeOfEvent=administrativeArea',
      ...['user.create', 'user.read', 'user.edit'].map((type) => `type=${type}&accessLevel=administrativeArea`),
    ],
  },
  { id: 'REGISTRAR', label: 'Registrar', scopes: ['record.search', 'record.register'] },
  { id: 'NATIONAL_ADMIN', label: 'National administrator', scopes: ['natlsysadmin'] },
];

/** Asks the internal port of a service as somebody. */
export type Asking = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;

/** Asks with this access token. */
export const asking =
  ({ internalUrl }: Service, token: string): Asking =>
  async (method, path, body) => {
    const response = await fetch(`${internalUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
