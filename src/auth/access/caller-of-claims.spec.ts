import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { callerOf, UndecodableScopes } from './scope-permissions.js';

describe('callerOf', () => {
  it('is who the claims describe, with what his scopes grant', () => {
    const unknown: string[] = [];
    const claims = { sub: 'a client', userType: 'system', scope: ['webhook', 'demo'] } as const;
    expect(callerOf(claims, (scope) => unknown.push(scope))).toEqual({
      subject: 'a client',
      userType: 'system',
      scopes: ['webhook', 'demo'],
      grants: [{ permission: 'webhook.subscribe', options: {} }],
    });
    expect(unknown).toEqual(['demo']);
  });

  it('has the office of a user', () => {
    const claims = { sub: 'registrar', userType: 'user', scope: [], office: aUuid(1) } as const;
    expect(callerOf(claims, () => undefined)).toEqual({
      subject: 'registrar',
      userType: 'user',
      office: aUuid(1),
      scopes: [],
      grants: [],
    });
  });

  it('may have no scope at all, and no office', () => {
    expect(callerOf({ sub: 'cli', userType: 'user', scope: [], office: undefined }, () => undefined)).toStrictEqual({
      subject: 'cli',
      userType: 'user',
      scopes: [],
      grants: [],
    });
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
