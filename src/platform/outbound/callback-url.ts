import { isIP } from 'node:net';

import type { AddressPolicy } from './address-policy.js';
import { NOT_PERMITTED } from './address-policy.js';

const MOST_CHARACTERS = 2_048;

/** A URL that only DNS can still rule out, or what is wrong with it. */
export type CallbackUrl =
  { readonly kind: 'sound'; readonly url: URL } | { readonly kind: 'unsound'; readonly reason: string };

/** What a callback address must satisfy. */
export interface CallbackRules {
  readonly policy: AddressPolicy;
  /** `WEBHOOK_ALLOW_HTTP`. */
  readonly allowHttp: boolean;
}

/**
 * Parses a callback (W-1): an absolute `https` URL without user info or fragment, of at most 2048 characters. A host
 * that is an address, however it is written, must be an allowed one; names are resolved when connecting (W-6).
 */
export function parseCallbackUrl(text: string, { policy, allowHttp }: CallbackRules): CallbackUrl {
  const unsound = (reason: string): CallbackUrl => ({ kind: 'unsound', reason });
  if (text.length > MOST_CHARACTERS) return unsound(`must have at most ${MOST_CHARACTERS} characters`);
  // URL parsers drop or convert white space, control characters and backslashes, each in its own way.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return unsound('must be an absolute https URL');
  const url = new URL(text);
  const schemes = allowHttp ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol) || !/^https?:\/\//i.test(text)) return unsound('must be an absolute https URL');
  // As written, since an empty one is not parsed; and as parsed, since parsers skip further slashes.
  const hasUserInfo = /^https?:\/\/[^/?#]*@/i.test(text) || url.username !== '' || url.password !== '';
  if (hasUserInfo) return unsound('must not contain user info');
  if (text.includes('#')) return unsound('must not contain a fragment');
  // RFC 9110 4.2.2: an empty host is an invalid address, and no way to write the first segment of the path.
  if (/^https?:\/{3}/i.test(text)) return unsound('must be an absolute https URL');
  const host = hostOf(url);
  if (policy.isMetadataName(host)) return unsound(NOT_PERMITTED);
  const isRefused = isIP(host) !== 0 && policy.refusalOf(host) !== undefined;
  return isRefused ? unsound(NOT_PERMITTED) : { kind: 'sound', url };
}

/** What a stored callback is compared by: as URL parsers write it, without an empty query (W-6). */
export function callbackKey(callback: string): string {
  const url = new URL(callback);
  // Takes the question mark of an empty one away.
  if (url.search === '') url.search = '';
  return url.href;
}

/** The host in the form for DNS and sockets: an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');
