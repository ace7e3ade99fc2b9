import { derivedUuid, parseUuid } from './uuid.js';

describe('derivedUuid', () => {
  it('is the UUID of version 5 of RFC 9562', () => {
    const dnsNamespace = parseUuid('6ba7b810-9dad-11d1-80b4-00c04fd430c8');
    expect(dnsNamespace && derivedUuid(dnsNamespace, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });
});
