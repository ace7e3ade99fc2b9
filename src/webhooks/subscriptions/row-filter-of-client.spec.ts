import { rowFilterOfClient } from './row-filter-of-client.js';

describe('reachOfClient', () => {
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
  ])('of %s', (_, scopes, reach) => {
    expect(rowFilterOfClient(scopes)).toEqual(reach);
  });
});
