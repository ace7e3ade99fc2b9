import { RouteList } from './route-list.js';

const listOf = (...routes: string[]): RouteList => {
  const list = new RouteList();
  for (const [method = '', path = ''] of routes.map((route) => route.split(' '))) list.add({ method, path });
  return list;
};

const EVENTS = listOf(
  'GET /~records/events/:eventId',
  'DELETE /~records/events/:eventId',
  'POST /~records/events/search',
  'POST /~records/events/:eventId/notify',
);

describe('RouteList', () => {
  it.each([
    ['/~records/events/5', ['DELETE', 'GET']],
    ['/~records/events/search', ['POST']],
    ['/~records/events/search/notify', ['POST']],
    ['/~records/events/', []],
    ['/~records/nowhere', []],
  ])('a path supports its methods: %s', (path, methods) => {
    expect(EVENTS.methodsOf(path)).toEqual(methods);
  });

  it('a name that stands in a route is no value of a parameter', () => {
    const isMistaken = (method: string, matched: string, path: string): boolean =>
      EVENTS.isMistaken({ method, path: matched }, path);
    expect(isMistaken('GET', '/~records/events/:eventId', '/~records/events/search')).toBe(true);
    expect(isMistaken('GET', '/~records/events/:eventId', '/~records/events/5')).toBe(false);
    expect(isMistaken('POST', '/~records/events/search', '/~records/events/search')).toBe(false);
  });

  it('a HEAD that the router has made of a GET is none where it was left out', () => {
    const list = listOf('GET /ping', 'HEAD /ping', 'GET /events/:id');
    expect(list.isMistaken({ method: 'HEAD', path: '/ping' }, '/ping')).toBe(false);
    expect(list.isMistaken({ method: 'HEAD', path: '/events/:id' }, '/events/5')).toBe(true);
  });
});
