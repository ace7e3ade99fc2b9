import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The client's message for every forbidden address; only the log says where an internal name leads. */
export const NOT_PERMITTED = 'leads to an address that is not permitted';

/** The client's message where plain http is closed; it may have been open at subscription. */
export const NOT_HTTPS = 'must be an https URL';

/** Public addresses into the machine: Azure's host agent. */
const METADATA_ADDRESSES = new Set(['168.63.129.16']);

/** Names of cloud credential services, without their trailing dot. */
const METADATA_NAMES = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.com',
  'metadata.azure.internal',
  'metadata.oraclecloud.com',
  'metadata.tencentyun.com',
  'metadata.platformequinix.com',
  'metadata.packet.net',
  'instance-data',
  'instance-data.ec2.internal',
]);

/** IPv6 space of the Internet; everything outside is local or embeds IPv4. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

const RANGE_NAMES: Readonly<Record<string, string>> = {
  private: 'private',
  uniqueLocal: 'unique-local',
  linkLocal: 'link-local',
  carrierGradeNat: 'shared (CGNAT)',
  ipv4Mapped: 'IPv4 inside IPv6',
  rfc6145: 'IPv4 inside IPv6',
  rfc6052: 'IPv4 inside IPv6 (NAT64)',
  '6to4': 'IPv4 inside IPv6 (6to4)',
  teredo: 'IPv4 inside IPv6 (Teredo)',
};

/** Permitted callback addresses (W-6): public ones and `WEBHOOK_ALLOW_CIDRS`. */
export class AddressPolicy {
  private readonly opened: readonly [Address, number][];

  /** `allowCidrs`: addresses or CIDR ranges. Throws if one is neither. */
  constructor(allowCidrs: readonly string[]) {
    this.opened = allowCidrs.map((cidr) => ipaddr.parseCIDR(cidr.includes('/') ? cidr : `${cidr}/${bitsOf(cidr)}`));
  }

  /** The reason for the log, such as `loopback`; undefined if allowed. `address` must satisfy `isIP`. */
  refusalOf(address: string): string | undefined {
    const parsed = ipaddr.parse(address);
    if (this.opened.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits))) {
      return undefined;
    }
    if (METADATA_ADDRESSES.has(parsed.toString())) return 'metadata service';
    const range = parsed.range();
    if (range !== 'unicast') return RANGE_NAMES[range] ?? range;
    // Within 2000::/3 too, ISATAP has an IPv4 address in the last 32 bits.
    if (parsed instanceof ipaddr.IPv6) return parsed.match(GLOBAL_UNICAST) ? isatapRefusal(parsed) : 'reserved';
    return undefined;
  }

  isMetadataName(hostname: string): boolean {
    return METADATA_NAMES.has(hostname.toLowerCase().replace(/\.$/, ''));
  }
}

const bitsOf = (address: string): number => (address.includes(':') ? 128 : 32);

/** RFC 5214: interface identifiers `0000:5efe` and `0200:5efe`. */
function isatapRefusal({ parts }: ipaddr.IPv6): string | undefined {
  const isatap = parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x0200);
  return isatap ? 'IPv4 inside IPv6 (ISATAP)' : undefined;
}

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
