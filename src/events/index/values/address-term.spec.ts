import { parseAddressTerm } from './address-term.js';

describe('parseAddressTerm', () => {
  it('reads country, area and street details, and nothing else', () => {
    const term = JSON.stringify({
      country: 'FAR',
      addressType: 'DOMESTIC',
      administrativeArea: 'a-1',
      streetLevelDetails: { street: 'Main', __proto__x: '', town: null },
      other: 1,
    });
    expect(parseAddressTerm(term)).toEqual({
      country: 'FAR',
      administrativeArea: 'a-1',
      streetDetails: [
        ['street', 'Main'],
        ['__proto__x', ''],
      ],
    });
  });

  it.each([' {"country":"FAR"} ', '{"country":"FAR","administrativeArea":null,"streetLevelDetails":null}'])(
    'takes a country alone: %s',
    (term) => {
      expect(parseAddressTerm(term)).toEqual({ country: 'FAR', administrativeArea: undefined, streetDetails: [] });
    },
  );

  it.each([
    ['other text', 'Main Street'],
    ['broken JSON', '{"country":"FAR"'],
    ['no object', '["FAR"]'],
    ['an address without a country', '{"administrativeArea":"a-1"}'],
    ['a country that is no text', '{"country":1}'],
    ['an area that is no text', '{"country":"FAR","administrativeArea":1}'],
    ['details that are no map', '{"country":"FAR","streetLevelDetails":["Main"]}'],
    ['a detail that is no text', '{"country":"FAR","streetLevelDetails":{"number":12}}'],
    ['text that Postgres cannot hold', '{"country":"\\u0000"}'],
    ['a lone surrogate', '{"country":"FAR","streetLevelDetails":{"\\ud800":"x"}}'],
  ])('sees none in %s', (_, term) => {
    expect(parseAddressTerm(term)).toBeUndefined();
  });
});
