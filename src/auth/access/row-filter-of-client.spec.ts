import { rowFilterOfClient } from './covers.js';

describe('rowFilterOfClient', () => {
  it.each([
    ['a client that has its subscriptions alone', ['webhook'], 'everything'],
    ['a client that may search everything', ['health'], 'everything'],
    ['one restricted scope', ['webhook', 'type=record.search&event=birth'], [{ event: ['birth'] }]],
    [
      'two restricted scopes, whichever they permit',
      ['webhook', 'type=record.search&event=birth', 'type=record.read&flags.noneOf=sealed'],
      [{ event: ['birth'] }, { flags: { noneOf: ['sealed'] } }],
    ],
    ['an unrestricted scope beside a restricted one', ['nationalId', 'type=record.search&event=birth'], 'everything'],
    ['a restriction of something else', ['webhook', 'type=record.notify&event=birth'], 'everything'],
    ['one for reading that cannot be decoded', ['webhook', 'type=record.search&event=birth&unheardOf=1'], []],
    [
      'one that can be decoded beside one that cannot',
      ['webhook', 'type=record.search&unheardOf=1', 'type=record.read&event=birth'],
      [{ event: ['birth'] }],
    ],
    [
      'what it has done itself',
      ['type=record.read&declaredBy=user&event=birth'],
      [{ event: ['birth'], declaredBy: { subject: 'client', userType: 'system' } }],
    ],
    ['one of another service', ['webhook', 'bypassratelimit'], 'everything'],
  ])('of %s', (_, scopes, reach) => {
    expect(rowFilterOfClient(scopes, 'client')).toEqual(reach);
  });
});
