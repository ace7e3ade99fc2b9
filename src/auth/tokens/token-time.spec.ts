import { isInForce } from './access-claims.js';

describe('isInForce', () => {
  it.each([
    [{ exp: 1001 }, true],
    [{ exp: 1001, iat: 1005, nbf: 1005 }, true],
    [{ exp: 1000 }, false],
    [{ exp: 2000, iat: 1006 }, false],
    [{ exp: 2000, nbf: 1006 }, false],
  ])('of %j at 1000 is %s', (times, expected) => {
    expect(isInForce(times, 1000)).toBe(expected);
  });
});
