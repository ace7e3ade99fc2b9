import { faultsOf } from '../../../test/support/faults-of.js';
import { readDto } from '../../platform/dto/read-dto.js';
import { SubscribeDto } from './subscribe.dto.js';

const HUB = {
  callback: 'https://subscriber.example/hook',
  mode: 'subscribe',
  topic: 'BIRTH_REGISTERED',
  secret: 'a secret',
};

describe('SubscribeDto', () => {
  it('takes the hub as it came, looking at nothing that it says', async () => {
    expect(await readDto(SubscribeDto, { hub: HUB })).toEqual({ hub: HUB });
    expect((await readDto(SubscribeDto, { hub: { ...HUB, query: null } })).hub.query).toBeNull();
    const query: unknown = JSON.parse('{"clauses": [{"data": {"constructor": {}, "__proto__": {}}}]}');
    const odd = { callback: '', mode: 'x', topic: 'y', secret: '', format: 'opencrvs-1x', query };
    const read = await readDto(SubscribeDto, { hub: odd });
    expect(read).toEqual({ hub: odd });
    expect(read.hub.query).toBe(query);
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
        'hub.format: must be one of the following values: standard, opencrvs-1x',
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
  ])('names every fault of %s', async (_, body, issues) => {
    expect(await faultsOf(readDto(SubscribeDto, body))).toEqual(issues);
  });
});
