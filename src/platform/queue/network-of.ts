import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 network; one subscriber has all its addresses (RFC 6177). */
const NETWORK_BITS = 64;

/** The key of limits: an IPv4 address or an IPv6 network; other text is unchanged. */
export function networkOf(address: string): string {
  const alone = withoutPort(address);
  if (!ipaddr.isValid(alone)) return address;
  const parsed = ipaddr.process(alone);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const network = parsed.toByteArray().map((byte, at) => (at < NETWORK_BITS / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(network).toString()}/${NETWORK_BITS}`;
}

/** Some proxies forward `192.0.2.1:50123` or `[2001:db8::1]:50123`, with a port per connection. */
const withoutPort = (address: string): string =>
  /^\[([^\]]*)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
