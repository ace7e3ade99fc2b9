import { nextLink } from './request-target.js';

it.each<[string, string | undefined, string]>([
  ['/events/search', undefined, '/events/search?cursor='],
  ['/api/events/events/search?cursor=before', undefined, '/api/events/events/search?cursor='],
  ['/locations?isActive=true&limit=2', undefined, '/locations?isActive=true&limit=2&cursor='],
  ['/events/search', 'https://api.example.org', 'https://api.example.org/events/search?cursor='],
  ['/events/search', 'https://api.example.org/registry/', 'https://api.example.org/registry/events/search?cursor='],
  ['http://%zz/events/search', undefined, '/events/search?cursor='],
  ['http://[/events/search?limit=2', undefined, '/events/search?limit=2&cursor='],
  ['http://a:99999/events/search', undefined, '/events/search?cursor='],
  ['http://@/events/search', undefined, '/events/search?cursor='],
  ['http:///integrations', undefined, '/integrations?cursor='],
  ['http://host/events/search', undefined, '/events/search?cursor='],
  ['/events/search>;?a=>"', undefined, '/events/search%3E;?a=%3E%22&cursor='],
])('the page after %s with PUBLIC_URL %s is asked at %s', (requestTarget, publicUrl, target) => {
  expect(nextLink('abc-_', requestTarget, publicUrl)).toBe(`<${target}abc-_>; rel="next"`);
});
