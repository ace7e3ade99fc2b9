import { bearerCredentials } from './verified-tokens.js';

const of = (...authorizations: string[]) =>
  bearerCredentials([
    'Host',
    'x',
    ...authorizations.flatMap((value) => ['authorization', value]),
    'Accept',
    'Bearer a',
  ]);

describe('bearerCredentials', () => {
  it.each(['Bearer a.b-c_~+/==', 'bearer a.b-c_~+/==', 'BEARER   a.b-c_~+/== '])('reads %s', (header) => {
    expect(of(header)).toEqual({ kind: 'token', token: 'a.b-c_~+/==' });
  });

  it('finds nothing where there is no header', () => {
    expect(of()).toEqual({ kind: 'absent' });
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic YTpi', 'a.b.c', 'Bearer a b', 'Bearer a,Bearer b', 'Bearera', 'Bearer\ta'])(
    'cannot use %j',
    (header) => {
      expect(of(header)).toEqual({ kind: 'unusable' });
    },
  );

  it('cannot use two headers, or one of unreasonable length', () => {
    expect([of('Bearer a', 'Bearer a'), of(`Bearer ${'a'.repeat(16_384)}`)]).toEqual([
      { kind: 'unusable' },
      { kind: 'unusable' },
    ]);
  });
});
