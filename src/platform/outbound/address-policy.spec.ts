import { AddressPolicy } from './address-policy.js';

const closed = new AddressPolicy([]);

const REFUSED: readonly (readonly [string, string])[] = [
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['10.0.0.1', 'private'],
  ['100.64.0.1', 'shared (CGNAT)'],
  ['100.100.100.200', 'shared (CGNAT)'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['168.63.129.16', 'metadata service'],
  ['169.254.169.254', 'link-local'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.192', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['192.88.99.1', 'reserved'],
  ['192.168.1.1', 'private'],
  ['198.18.0.1', 'reserved'],
  ['198.51.100.1', 'reserved'],
  ['203.0.113.1', 'reserved'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::7f00:1', 'reserved'],
  ['::8.8.8.8', 'IPv4 inside IPv6'],
  ['::ffff:127.0.0.1', 'IPv4 inside IPv6'],
  ['::ffff:8.8.8.8', 'IPv4 inside IPv6'],
  ['::ffff:0:127.0.0.1', 'IPv4 inside IPv6'],
  ['64:ff9b::7f00:1', 'IPv4 inside IPv6 (NAT64)'],
  ['64:ff9b:1::7f00:1', 'IPv4 inside IPv6 (NAT64)'],
  ['100::1', 'discard'],
  ['2001::1', 'IPv4 inside IPv6 (Teredo)'],
  ['2001:2::1', 'benchmarking'],
  ['2001:10::1', 'deprecatedOrchid'],
  ['2001:db8::1', 'reserved'],
  ['2002:7f00:1::1', 'IPv4 inside IPv6 (6to4)'],
  ['2606:4700::5efe:7f00:1', 'IPv4 inside IPv6 (ISATAP)'],
  ['2606:4700::200:5efe:7f00:1', 'IPv4 inside IPv6 (ISATAP)'],
  ['3fff::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['5f00::1', 'segmentRouting'],
  ['fc00::1', 'unique-local'],
  ['fd00:ec2::254', 'unique-local'],
  ['fe80::1', 'link-local'],
  ['fec0::1', 'deprecatedSiteLocal'],
  ['ff02::1', 'multicast'],
];

describe('AddressPolicy', () => {
  it.each(REFUSED)('refuses %s', (address, reason) => {
    expect(closed.refusalOf(address)).toBe(reason);
  });

  it.each(['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
    'allows %s',
    (address) => {
      expect(closed.refusalOf(address)).toBeUndefined();
    },
  );

  it('opens the ranges it is given, and no others', () => {
    const policy = new AddressPolicy(['10.1.0.0/16', '127.0.0.1', 'fd12::/16', '168.63.129.16/32']);
    expect(
      ['10.1.2.3', '127.0.0.1', 'fd12::1', '168.63.129.16', '10.2.0.1', '127.0.0.2', 'fd13::1', '::ffff:10.1.2.3'].map(
        (address) => policy.refusalOf(address),
      ),
    ).toEqual([undefined, undefined, undefined, undefined, 'private', 'loopback', 'unique-local', 'IPv4 inside IPv6']);
  });

  it('knows the names of metadata services in any letter case and with a trailing dot', () => {
    const names = ['metadata.google.internal', 'Metadata.Google.Internal.', 'instance-data', 'metadata'];
    expect(names.map((name) => closed.isMetadataName(name))).toEqual([true, true, true, true]);
    expect(closed.isMetadataName('metadata.example.org')).toBe(false);
  });
});
