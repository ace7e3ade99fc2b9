import { ServiceError } from '../../errors/service-error.js';
import { parseHubRequest } from './hub-request.js';

const HUB = {
  callback: 'https://subscriber.example/hook',
  mode: 'subscribe',
  topic: 'BIRTH_REGISTERED',
  secret: 'a secret',
};

function issuesOf(body: unknown): unknown {
  try {
    return parseHubRequest(body);
  } catch (error) {
    if (error instanceof ServiceError) return error.issues.map(({ message }) => message);
    throw error;
  }
}

describe('parseHubRequest', () => {
  it('yields the hub as it came, looking at nothing that it says', () => {
    expect(parseHubRequest({ hub: HUB })).toEqual({ ...HUB, format: undefined, query: undefined });
    expect(parseHubRequest({ hub: { ...HUB, query: null } }).query).toBeNull();
    const odd = { callback: '', mode: 'x', topic: 'y', secret: '', format: 'opencrvs-1x', query: { clauses: [] } };
    expect(parseHubRequest({ hub: odd })).toEqual(odd);
  });

  it.each([
    ['nothing', undefined, ['body: is required']],
    ['a list', [], ['body: must be an object']],
    ['no hub', {}, ['hub: is required']],
    ['a hub that is text', { hub: 'x' }, ['hub: must be an object']],
    [
      'hub. keys in the style of forms',
      { 'hub.mode': 'subscribe' },
      ['["hub.mode"]: is not a known key; allowed: hub', 'hub: is required'],
    ],
    [
      'an empty hub',
      { hub: {} },
      ['hub.callback: is required', 'hub.mode: is required', 'hub.topic: is required', 'hub.secret: is required'],
    ],
    [
      'a number and null',
      { hub: { ...HUB, topic: 7, secret: null } },
      ['hub.topic: must be a string', 'hub.secret: must be a string'],
    ],
    [
      'text that Postgres cannot hold',
      { hub: { ...HUB, callback: 'https://a.example/\u0000' } },
      ['hub.callback: must be text without U+0000 and without unpaired surrogates'],
    ],
    [
      'an unknown key and format',
      { hub: { ...HUB, lease_seconds: 5, format: 'xml' } },
      [
        'hub.lease_seconds: is not a known key; allowed: callback, mode, topic, secret, format, query',
        'hub.format: must be one of "standard", "opencrvs-1x"',
      ],
    ],
    [
      '__proto__',
      JSON.parse(`{"hub": {"__proto__": 1}}`) as unknown,
      [
        'hub.__proto__: is not a known key; allowed: callback, mode, topic, secret, format, query',
        'hub.callback: is required',
        'hub.mode: is required',
        'hub.topic: is required',
        'hub.secret: is required',
      ],
    ],
  ])('names every fault of %s', (_, body, issues) => {
    expect(issuesOf(body)).toEqual(issues);
  });
});
