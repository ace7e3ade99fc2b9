import { callerOf } from './caller-of-claims.js';
import { UndecodableScopes } from './undecodable-scopes.js';

const ignore = (): void => undefined;

describe('callerOf', () => {
  it('understands the claims of an access token', () => {
    expect(callerOf({ sub: 'a client', userType: 'system', scope: ['webhook', 'demo'], iat: 1 }, ignore)).toEqual({
      subject: 'a client',
      userType: 'system',
      scopes: ['webhook', 'demo'],
      grants: [{ permission: 'webhook.subscribe', options: {} }],
    });
  });

  it('understands the office of a user', () => {
    const office = 'A0000000-0000-4000-8000-000000000001';
    expect(callerOf({ sub: 'registrar', userType: 'user', scope: [], office }, ignore)).toEqual({
      subject: 'registrar',
      userType: 'user',
      office: office.toLowerCase(),
      scopes: [],
      grants: [],
    });
  });

  it('understands a token without any scope', () => {
    expect(callerOf({ sub: 'cli', userType: 'user', scope: [] }, ignore)).toEqual({
      subject: 'cli',
      userType: 'user',
      scopes: [],
      grants: [],
    });
  });

  const sound = { sub: 'a client', userType: 'system', scope: ['webhook'] };
  it.each([
    ['no claims', undefined],
    ['null', null],
    ['a text', 'claims'],
    ['no subject', { ...sound, sub: undefined }],
    ['an empty subject', { ...sound, sub: '' }],
    ['a number as subject', { ...sound, sub: 1 }],
    ['no user type', { ...sound, userType: undefined }],
    ['another user type', { ...sound, userType: 'System' }],
    ['no scope', { ...sound, scope: undefined }],
    ['scopes in one text', { ...sound, scope: 'webhook record.search' }],
    ['an office that is no UUID', { ...sound, office: 'Ibombo' }],
    ['a scope that is no text', { ...sound, scope: ['webhook', { type: 'record.search' }] }],
  ])('finds no caller in %s', (_, claims) => {
    expect(callerOf(claims, ignore)).toBeUndefined();
  });
});

describe('UndecodableScopes', () => {
  it('logs a scope once, without its line breaks and without its end when it is long', () => {
    const lines: string[] = [];
    const scopes = new UndecodableScopes((line) => lines.push(line));
    for (const scope of ['demo', 'a\nb', 'demo', 'x'.repeat(1_000), 'a\nb']) scopes.note(scope);
    expect(lines).toEqual([
      'a scope that is not understood grants nothing: "demo"',
      'a scope that is not understood grants nothing: "a\\nb"',
      `a scope that is not understood grants nothing: "${'x'.repeat(200)}"`,
    ]);
  });

  it('remembers a bounded number of scopes, the latest ones', () => {
    const lines: string[] = [];
    const scopes = new UndecodableScopes((line) => lines.push(line));
    for (let at = 0; at < 1_001; at += 1) scopes.note(`scope${at}`);
    scopes.note('scope1000');
    scopes.note('scope0');
    expect(lines.slice(1_001)).toEqual(['a scope that is not understood grants nothing: "scope0"']);
  });
});
