import { canonicalJson } from './canonical-json.js';

describe('canonicalJson', () => {
  it('is the same whatever the order of keys', () => {
    expect(canonicalJson({ b: [{ y: 1, x: null }], a: 'text', 1: true })).toBe(
      canonicalJson({ 1: true, a: 'text', b: [{ x: null, y: 1 }] }),
    );
  });

  it.each([
    [{ a: 1 }, { a: '1' }],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: null }, {}],
    [{ a: { b: 1 } }, { 'a.b': 1 }],
    [{ a: 1 }, [['a', 1]]],
    [{}, []],
    [{}, null],
  ])('tells %j from %j', (one, other) => {
    expect(canonicalJson(one)).not.toBe(canonicalJson(other));
  });
});
