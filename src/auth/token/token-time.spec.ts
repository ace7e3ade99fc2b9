import { isInForce } from './token-time.js';

describe('isInForce', () => {
  it.each([
    [{ exp: 1001 }, true],
    [{ exp: 1001, iat: 1005, nbf: 1005 }, true],
    [{ exp: 1000 }, false],
    [{ exp: '1001' }, false],
    [{ exp: null }, false],
    [{}, false],
    [{ exp: 2000, iat: 1006 }, false],
    [{ exp: 2000, nbf: 1006 }, false],
    [{ exp: 2000, iat: '1' }, false],
    [{ exp: 2000, nbf: null }, false],
    ['text', false],
    [null, false],
  ])('of %j at 1000 is %s', (claims, expected) => {
    expect(isInForce(claims, 1000)).toBe(expected);
  });
});
