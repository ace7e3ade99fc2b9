import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { readAccessClaims } from './access-claims.js';

const TIMES = { exp: 2_000, iat: 1_000 };
const OF_A_TOKEN = { ...TIMES, iss: 'us', aud: ['one', 'other'], jti: '0000000A-0000-4000-8000-00000000000A' };
const OF_A_CLIENT = { ...OF_A_TOKEN, sub: 'A client', userType: 'system', scope: ['webhook'] };
const OF_A_USER = { ...OF_A_TOKEN, sub: 'Anna', userType: 'user', scope: ['user.read'] };

const LACKING = { iss: undefined, sub: undefined, aud: undefined, jti: undefined, nbf: undefined, iat: undefined };
const READ = { nbf: undefined, tokenId: aUuid(10), sid: undefined, office: undefined };

describe('readAccessClaims', () => {
  it('reads those of a client', () => {
    expect(readAccessClaims(OF_A_CLIENT)).toStrictEqual({ ...OF_A_CLIENT, ...READ, kind: 'client' });
  });

  it.each([
    [
      'the service with an event, which it may read',
      aUuid(7).toUpperCase(),
      { scope: ['record.read'], onlyEvent: aUuid(7) },
    ],
    ['the service without one', undefined, { scope: [] }],
    ['the service with what is no event', 'all', { scope: [] }],
  ])('reads those of %s', (_, eventId, read) => {
    const claims = { ...OF_A_CLIENT, sub: 'matricula', scope: ['natlsysadmin'] };
    expect(readAccessClaims({ ...claims, eventId })).toStrictEqual({ ...claims, ...READ, kind: 'service', ...read });
  });

  it('restricts no other token to an event, and takes no user for the service', () => {
    expect(readAccessClaims({ ...OF_A_CLIENT, eventId: aUuid(7) })).not.toHaveProperty('onlyEvent');
    expect(readAccessClaims({ ...OF_A_USER, sub: 'matricula', eventId: aUuid(7) })).toMatchObject({ kind: 'user' });
  });

  it('reads those of a user that the command line has made, with his office', () => {
    const office = 'A0000000-0000-4000-8000-000000000001';
    expect(readAccessClaims({ ...OF_A_USER, office })).toStrictEqual({
      ...{ ...OF_A_USER, ...READ, kind: 'user', office: office.toLowerCase() },
    });
  });

  it.each(['CLERK', null])('reads those of a session, which has a role, such as %j', (role) => {
    const session = { office: aUuid(1), sid: aUuid(2) };
    expect(readAccessClaims({ ...OF_A_USER, ...session, role })).toStrictEqual({
      ...{ ...OF_A_USER, ...READ, ...session, kind: 'session', userId: 'anna' },
    });
  });

  it('reads those of a token without any scope', () => {
    expect(readAccessClaims({ ...OF_A_USER, scope: [] })).toMatchObject({ kind: 'user', scope: [] });
  });

  it.each([
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a number as subject', { sub: 1 }],
    ['no user type', { userType: undefined }],
    ['another user type', { userType: 'System' }],
    ['no scope', { scope: undefined }],
    ['scopes in one text', { scope: 'webhook record.search' }],
    ['a scope that is no text', { scope: ['webhook', { type: 'record.search' }] }],
    ['an office that is no UUID', { office: 'Ibombo' }],
    ['a client’s role', { role: 'CLERK' }],
  ])('finds no caller in claims with %s', (_, wrong) => {
    expect(readAccessClaims({ ...OF_A_CLIENT, ...wrong })?.kind).toBe('nobody');
  });

  it('reads of a token that is nobody’s by what it is revoked, and for whom', () => {
    const claims = { ...OF_A_TOKEN, sub: 'A client', userType: 'system', sid: aUuid(2) };
    expect(readAccessClaims(claims)).toStrictEqual({ ...claims, nbf: undefined, tokenId: aUuid(10), kind: 'nobody' });
    expect(readAccessClaims({ exp: 1 })).toStrictEqual({
      ...{ ...LACKING, exp: 1, tokenId: undefined, sid: undefined, kind: 'nobody', userType: undefined },
    });
  });

  it('takes for absent what is of another type than it must be', () => {
    const wrong = { iss: ['us'], sub: 1, aud: { one: 1 }, jti: [aUuid(1)], sid: 5 };
    expect(readAccessClaims({ exp: 1, ...wrong })).toStrictEqual({
      ...{ ...LACKING, exp: 1, tokenId: undefined, sid: undefined, kind: 'nobody', userType: undefined },
    });
    expect(readAccessClaims({ ...OF_A_CLIENT, aud: ['one', 5] })?.aud).toEqual(['one']);
    expect(readAccessClaims({ ...OF_A_CLIENT, aud: 'one' })?.aud).toBe('one');
  });

  it.each([
    ['no claims', undefined],
    ['null', null],
    ['a text', 'claims'],
    ['a list', []],
    ['no end', { ...OF_A_CLIENT, exp: undefined }],
    ['an end in a text', { ...OF_A_CLIENT, exp: '2000' }],
    ['null as its end', { ...OF_A_CLIENT, exp: null }],
    ['a beginning in a text', { ...OF_A_CLIENT, iat: '1' }],
    ['null as its beginning', { ...OF_A_CLIENT, nbf: null }],
  ])('reads nothing from %s', (_, claims) => {
    expect(readAccessClaims(claims)).toBeUndefined();
  });
});
