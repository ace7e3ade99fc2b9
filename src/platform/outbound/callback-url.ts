import { isIP } from 'node:net';

import type { AddressPolicy } from './address-policy.js';
import { NOT_PERMITTED } from './address-policy.js';

const MOST_CHARACTERS = 2_048;

/** Subject to DNS only, or the fault. */
export type CallbackUrl =
  { readonly kind: 'sound'; readonly url: URL } | { readonly kind: 'unsound'; readonly reason: string };

export interface CallbackRules {
  readonly policy: AddressPolicy;
  readonly allowHttp: boolean;
}

/**
 * W-1: an absolute `https` URL without user info or fragment, at most 2048 characters. An address as host, in any
 * notation, must be allowed; names are resolved on connecting (W-6).
 */
export function parseCallbackUrl(text: string, { policy, allowHttp }: CallbackRules): CallbackUrl {
  const unsound = (reason: string): CallbackUrl => ({ kind: 'unsound', reason });
  if (text.length > MOST_CHARACTERS) return unsound(`must have at most ${MOST_CHARACTERS} characters`);
  // URL parsers drop or convert these characters, each differently.
  if (/[\s\\\p{Cc}]/u.test(text) || !URL.canParse(text)) return unsound('must be an absolute https URL');
  const url = new URL(text);
  const schemes = allowHttp ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol) || !/^https?:\/\//i.test(text)) return unsound('must be an absolute https URL');
  // Both notations: an empty one is not parsed, and parsers skip further slashes.
  const hasUserInfo = /^https?:\/\/[^/?#]*@/i.test(text) || url.username !== '' || url.password !== '';
  if (hasUserInfo) return unsound('must not contain user info');
  if (text.includes('#')) return unsound('must not contain a fragment');
  // RFC 9110 4.2.2: an empty host is invalid, and does not take the first path segment.
  if (/^https?:\/{3}/i.test(text)) return unsound('must be an absolute https URL');
  const host = hostOf(url);
  if (policy.isMetadataName(host)) return unsound(NOT_PERMITTED);
  const isRefused = isIP(host) !== 0 && policy.refusalOf(host) !== undefined;
  return isRefused ? unsound(NOT_PERMITTED) : { kind: 'sound', url };
}

/** For comparison: URL parsers' notation, without an empty query (W-6). */
export function callbackKey(callback: string): string {
  const url = new URL(callback);
  // Removes the question mark of an empty query.
  if (url.search === '') url.search = '';
  return url.href;
}

/** For DNS and sockets: IPv6 without brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');
