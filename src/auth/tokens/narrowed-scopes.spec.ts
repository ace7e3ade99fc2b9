import { narrowedScopes } from './token-parameters.js';

const HELD = ['recordsearch', 'type=record.search&event=birth,death&status=REGISTERED', 'webhook', '~unknown'];

describe('narrowedScopes', () => {
  it.each([
    ['one of them', 'webhook', ['webhook']],
    ['all of them, in any order', [...HELD].reverse().join(' '), HELD],
    ['one twice, between too many blanks', ' webhook  webhook ', ['webhook']],
    [
      'another spelling of one',
      'type=record.search&status=REGISTERED&event[]=death&event[]=birth',
      ['type=record.search&event=birth,death&status=REGISTERED'],
    ],
    ['one that does not decode, as it is spelled', '~unknown', ['~unknown']],
  ])('grants %s', (_, asked, granted) => {
    expect(narrowedScopes(HELD, asked)).toEqual(granted);
  });

  it.each([
    ['one that is not held', 'nationalId'],
    ['one that is not held beside one that is', 'webhook nationalId'],
    ['less than one that is held', 'type=record.search&event=birth&status=REGISTERED'],
    ['more than one that is held', 'record.search'],
    ['one in another letter case', 'Webhook'],
    ['blanks alone', '  '],
  ])('grants nothing to %s', (_, asked) => {
    expect(narrowedScopes(HELD, asked)).toBeUndefined();
  });

  it('reads no more than a client can hold, twice as long for other spellings', () => {
    const held = Array.from({ length: 101 }, (_, at) => `record.custom${at}`);
    const most = held.slice(0, 100);
    expect(narrowedScopes(held, [...most, ...most].join(' '))).toEqual(most);
    expect(narrowedScopes(held, held.join(' '))).toBeUndefined();
    expect(narrowedScopes(HELD, 'webhook'.padEnd(12_000))).toEqual(['webhook']);
    expect(narrowedScopes(HELD, 'webhook'.padEnd(12_001))).toBeUndefined();
  });
});
