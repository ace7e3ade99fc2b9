import { authorizationsOf, MOST_CHARACTERS } from './verified-tokens.js';

/** The content of `Authorization` in a request (G-3). */
export type BearerCredentials =
  | { readonly kind: 'absent' }
  /** Something, but not one bearer token. */
  | { readonly kind: 'unusable' }
  | { readonly kind: 'token'; readonly token: string };

/** A scheme in any letter case, and a b64token. RFC 6750 2.1. */
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** Reads the header from the raw headers, names and values alternating. */
export function bearerCredentials(rawHeaders: readonly string[]): BearerCredentials {
  const [header, ...others] = authorizationsOf(rawHeaders);
  if (header === undefined) return { kind: 'absent' };
  if (others.length > 0 || header.length > MOST_CHARACTERS) return { kind: 'unusable' };
  const token = BEARER.exec(header)?.[1];
  return token === undefined ? { kind: 'unusable' } : { kind: 'token', token };
}
