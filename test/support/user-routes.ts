import type { Service } from './auth-service.js';
import { OpenApiCheck } from './openapi-check.js';

/** A clerk, who administers nobody; administrators of an area and of the country; a registrar of the country. */
export const ROLES = [
  { id: 'CLERK', label: 'Clerk', scopes: ['type=record.search&placeOfEvent=location'] },
  {
    id: 'LOCAL_ADMIN',
    label: 'Administrator',
    scopes: [
      'type=record.search&placeOfEvent=administrativeArea',
      'type=record.read&declaredBy=user',
      ...['user.create', 'user.read', 'user.edit'].map((type) => `type=${type}&accessLevel=administrativeArea`),
    ],
  },
  { id: 'DECLARER', label: 'Declarer', scopes: ['type=record.read&declaredBy=user'] },
  { id: 'REGISTRAR', label: 'Registrar', scopes: ['record.search', 'record.register'] },
  { id: 'NATIONAL_ADMIN', label: 'National administrator', scopes: ['natlsysadmin'] },
];

/**
 * Asks the internal port of a service as somebody; each answer is one that the service's OpenAPI document describes.
 */
export type Asking = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;

/** Asks with an access token. */
export async function askingAt({ internalUrl }: Service): Promise<(token: string) => Asking> {
  const described = await fetch(`${internalUrl}/openapi.json`);
  const openApi = OpenApiCheck.of(await described.text());
  return (token) => async (method, path, body) => {
    const response = await fetch(`${internalUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const contentType = response.headers.get('content-type') ?? undefined;
    openApi.check({ method, path, status: response.status, contentType, body: text });
    return { status: response.status, body: JSON.parse(text) as unknown };
  };
}
