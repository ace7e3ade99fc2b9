import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that name a network; who has one has all addresses in it (RFC 6177). */
const NETWORK_BITS = 64;

/** Who is behind an address, for limits: an IPv4 address, or an IPv6 network. Other text stays as it is. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.toByteArray().map((byte, at) => (at < NETWORK_BITS / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(network).toString()}/${NETWORK_BITS}`;
}
