import fc from 'fast-check';

import { bareAddress, isInternal, leadOf, resolveAddress } from './routes.js';

describe('resolveAddress', () => {
  it.each([
    ['/events/search', '/~records/events/search'],
    ['/events/events/search', '/~records/events/search'],
    ['/api/events/events/search', '/~records/events/search'],
    ['/events', '/~records/events'],
    ['/events/events', '/~records/events'],
    ['/api/events/events', '/~records/events'],
    ['/events/notify', '/~records/events/notify'],
    ['/events/events/7/notify', '/~records/events/7/notify'],
    ['/api/events/events/7/notify', '/~records/events/7/notify'],
    ['/locations', '/~records/locations'],
    ['/events/locations', '/~records/locations'],
    ['/api/events/locations', '/~records/locations'],
    ['/administrative-areas/7', '/~records/administrative-areas/7'],
    ['/events/administrative-areas', '/~records/administrative-areas'],
    ['/integrations.audit?input=%7B%7D', '/~trpc/trpc/integrations.audit?input=%7B%7D'],
    ['/events/integrations.audit', '/~trpc/trpc/integrations.audit'],
    ['/api/events/event.search,integrations.list?batch=1', '/~trpc/trpc/event.search%2Cintegrations.list?batch=1'],
    ['/events/event.search,no.such', '/~trpc/trpc/event.search%2Cno.such'],
    ['/trpc/event.search', '/~trpc/trpc/event.search'],
    ['/events/no.such', '/~trpc/trpc/no.such'],
    ['/api/events/event.actions.no.such', '/~trpc/trpc/event.actions.no.such'],
    ['/user.get', '/~trpc/trpc/user.get'],
    ['/attachments', '/~records/attachments'],
    ['/api/events/attachments', '/~records/attachments'],
    ['/upload', '/~records/upload'],
    ['/auth/token', '/~auth/token'],
    ['/token', '/~auth/token'],
    ['/authenticateSystemClient', '/~auth/authenticateSystemClient'],
    ['/auth/authenticateSystemClient', '/~auth/authenticateSystemClient'],
    ['/.well-known', '/~auth/.well-known'],
    ['/.well-known/jwks.json', '/~auth/.well-known/jwks.json'],
    ['/auth/.well-known/jwks.json', '/~auth/.well-known/jwks.json'],
    ['/webhooks', '/~webhooks/webhooks'],
    ['/webhooks/7/deliveries', '/~webhooks/webhooks/7/deliveries'],
    ['/health/live', '/~gateway/health/live'],
    ['/ping', '/~gateway/ping'],
    ['/openapi.json', '/~gateway/openapi.json'],
    ['/docs', '/~gateway/docs'],
  ])('leads %s to %s on both listeners', (address, target) => {
    expect([resolveAddress(address, 'public'), resolveAddress(address, 'internal')]).toEqual([target, target]);
  });

  it.each([
    ['/registerSystemClient', '/~auth/registerSystemClient'],
    ['/deactivateSystemClient', '/~auth/deactivateSystemClient'],
    ['/reactivateSystemClient', '/~auth/reactivateSystemClient'],
    ['/auth/registerSystemClient', '/~auth/registerSystemClient'],
    ['/register%53ystemClient', '/~auth/registerSystemClient'],
    ['/trigger/events/birth/actions/REGISTER', '/~records/trigger/events/birth/actions/REGISTER'],
    ['/trigger', '/~records/trigger'],
    ['/events/bulk-import', '/~records/events/bulk-import'],
    ['/events/bulk%2Dimport', '/~records/events/bulk-import'],
    ['/events/events/bulk-import', '/~records/events/bulk-import'],
    ['/api/events/events/bulk-import', '/~records/events/bulk-import'],
    ['/api/events/events/bulk-import/more?a=b', '/~records/events/bulk-import/more?a=b'],
    ['/users', '/~records/users'],
    ['/users/7/deactivate', '/~records/users/7/deactivate'],
    ['http://host/metrics', '/~gateway/metrics'],
    ['/metrics', '/~gateway/metrics'],
  ])('leads %s to %s on the internal listener alone', (address, target) => {
    expect([resolveAddress(address, 'public'), resolveAddress(address, 'internal')]).toEqual([undefined, target]);
  });

  it.each([
    '',
    '/',
    '*',
    'events/search',
    '/unknown',
    '/api',
    '/api/events',
    '/api/events/search',
    '/no.such',
    '/api/events/trigger/events/birth/actions/REGISTER',
    '/api/auth/token',
    '/api/events/users',
    '/api/webhooks',
    '/events/',
    '/events/search/',
    '//events/search',
    '/events//search',
    '/./events/search',
    '/events/../events/search',
    '/events/%2e%2e/events/search',
    '/events/.%2E/search',
    '/events/%2Fsearch',
    '/events%2fsearch',
    '/events/a%5Cb',
    '/events\\search',
    '/events/%00',
    '/events/a%0Ab',
    '/events/%',
    '/events/%zz',
    '/events/%ff',
    '/events/search#top',
    '/Events/search',
    '/EVENTS',
    '/Token',
    '/auth%2Ftoken',
    '/%61uth%2Ftoken',
    '/~records/events/search',
    '/%7Erecords/events/search',
    '/%7erecords/events/search',
    '/~gateway/metrics',
    'http://host',
    'ftp://host/events/search',
  ])('knows no address %j', (address) => {
    expect([resolveAddress(address, 'public'), resolveAddress(address, 'internal')]).toEqual([undefined, undefined]);
  });

  it('leaves the hidden names out of reach below a known prefix', () => {
    expect(resolveAddress('/auth/~records/events/search', 'internal')).toBe('/~auth/~records/events/search');
  });

  it('keeps the query as it was written', () => {
    expect(resolveAddress('/auth/token?client_id=a%20b&x=/../%2F//?', 'public')).toBe(
      '/~auth/token?client_id=a%20b&x=/../%2F//?',
    );
  });

  it('takes the path of an absolute request target', () => {
    expect(resolveAddress('HTTP://example.org:7070/events/search?a', 'public')).toBe('/~records/events/search?a');
  });

  it('takes `/` for the path of an absolute request target that has none', () => {
    const targets = ['http://host', 'http://host?a', 'http://host/', 'http://host/docs/', 'http://host//', 'host'];
    expect(targets.map(leadOf)).toEqual(['docs', 'docs', 'docs', '../docs', undefined, undefined]);
  });

  it('decodes a free segment once, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        fc.pre(!/^\.{0,2}$|[\/\\\u0000-\u001f\u007f]/.test(text));
        const target = resolveAddress(`/webhooks/${encodeURIComponent(text)}`, 'public');
        expect(decodeURIComponent(target ?? '')).toBe(`/~webhooks/webhooks/${text}`);
      }),
    );
    expect(resolveAddress('/webhooks/%252e%252e%252F', 'public')).toBe('/~webhooks/webhooks/%252e%252e%252F');
  });
});

describe('isInternal', () => {
  it('tells the routes of the internal port by their path', () => {
    expect(
      ['/~records/trigger/events/:type', '/~records/events/bulk-import', '/~records/events/:eventId'].map(isInternal),
    ).toEqual([true, true, false]);
  });
});

describe('bareAddress', () => {
  it('takes the mount off', () => {
    expect(bareAddress('/~records/events/:eventId/notify')).toBe('/events/:eventId/notify');
    expect(bareAddress('/~auth/token?grant_type=a')).toBe('/token?grant_type=a');
  });

  it('keeps `auth` where nothing shorter is an address', () => {
    expect(bareAddress('/~auth/verifyCode?a=b/c')).toBe('/auth/verifyCode?a=b/c');
    expect(resolveAddress('/auth/verifyCode?a=b/c', 'public')).toBe('/~auth/verifyCode?a=b/c');
    expect(resolveAddress('/verifyCode', 'public')).toBeUndefined();
  });
});
