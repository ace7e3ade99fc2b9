import { nextLink } from './next-link.js';

it.each<[string, string | undefined, string]>([
  ['/events/search', undefined, '/events/search'],
  ['/api/events/events/search?cursor=before&x=1', undefined, '/api/events/events/search'],
  ['/events/search', 'https://api.example.org', 'https://api.example.org/events/search'],
  ['/events/search', 'https://api.example.org/registry/', 'https://api.example.org/registry/events/search'],
  ['http://host/events/search', undefined, '/events/search'],
  ['/events/search>;', undefined, '/events/search%3E;'],
])('the page after %s with PUBLIC_URL %s is asked at %s', (requestTarget, publicUrl, target) => {
  expect(nextLink('abc-_', requestTarget, publicUrl)).toBe(`<${target}?cursor=abc-_>; rel="next"`);
});
