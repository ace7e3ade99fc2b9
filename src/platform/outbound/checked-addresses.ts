import { isIP } from 'node:net';

import type { AddressPolicy } from './address-policy.js';
import type { ResolveHost } from './resolve-host.js';

const LOCALHOST = /(^|\.)localhost\.?$/i;
const LOOPBACK = ['127.0.0.1', '::1'];

/** The reason is for the log alone. */
export type CheckedAddresses =
  | { readonly kind: 'allowed'; readonly addresses: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Checks all addresses of a host; one forbidden address refuses it, since mixed names are not trustworthy. Only
 * `localhost` may lack one of its two. Throws the DNS error without an address.
 */
export async function checkedAddresses(
  host: string,
  policy: AddressPolicy,
  resolve: ResolveHost,
): Promise<CheckedAddresses> {
  if (policy.isMetadataName(host)) return { kind: 'refused', reason: 'names a metadata service' };
  const isLocalhost = LOCALHOST.test(host);
  const found = isLocalhost ? LOOPBACK : isIP(host) === 0 ? await resolve(host) : [host];
  const refusals = found.map((address) => policy.refusalOf(address));
  const allowed = found.filter((_, at) => refusals[at] === undefined);
  if (allowed.length === found.length || (isLocalhost && allowed.length > 0)) {
    return { kind: 'allowed', addresses: allowed };
  }
  const reason = refusals.find((refusal) => refusal !== undefined) ?? '';
  return { kind: 'refused', reason: `leads to an address that is ${reason}` };
}
