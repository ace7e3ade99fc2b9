import { decodeProtectedHeader, UnsecuredJWT } from 'jose';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { TokenStanding } from '../../auth/sessions/token-introspection.js';
import { type CallerClaims, readAccessClaims } from '../../auth/tokens/access-claims.js';
import type { KnownUser } from '../../auth/users/user-directory.js';
import { VerifiedTokens } from './verified-tokens.js';

const NOW_MS = 1_000_500;

/** Those of a client's token, which says this besides. */
function claimsWith(says: object = {}): CallerClaims {
  const claims = readAccessClaims({ exp: 2_000, iat: 1_000, sub: 'a', userType: 'system', scope: [], ...says });
  if (claims === undefined || claims.kind === 'nobody') throw new Error('these claims describe a caller');
  return claims;
}
const CLAIMS = claimsWith();

const current = () => Promise.resolve();

let acceptedUntilMs: number;
let deactivated: Set<string>;
let revoked: Set<string>;
let users: Map<string, KnownUser>;
let refreshed: () => void;
let feed: { isFollowing: boolean; readings: number };
let tokens: VerifiedTokens;
beforeEach(() => {
  feed = { isFollowing: true, readings: 0 };
  acceptedUntilMs = Infinity;
  deactivated = new Set();
  revoked = new Set();
  users = new Map();
  refreshed = () => undefined;
  tokens = new VerifiedTokens(
    {
      current,
      acceptedUntilMs: (kid, nowMs) => (kid === 'known' && nowMs < acceptedUntilMs ? acceptedUntilMs : undefined),
    },
    new TokenStanding(
      {
        current,
        isDeactivated: (clientId) => deactivated.has(clientId),
        holdings: () => undefined,
        refresh: () => {
          refreshed();
          return Promise.resolve();
        },
      },
      {
        current,
        find: (userId) => users.get(userId),
        refresh: () => {
          refreshed();
          return Promise.resolve();
        },
      },
      { current, isRevoked: ({ tokenId = '' }) => revoked.has(tokenId) },
    ),
    feed,
  );
});

const add = (token: string, claims: CallerClaims, caller: Caller): void => {
  tokens.add(token, { kid: decodeProtectedHeader(token).kid, claims, caller });
};

const caller = (subject: string, userType: Caller['userType'] = 'system'): Caller => ({
  subject,
  userType,
  scopes: [],
  grants: [],
});

/** A text with a readable header, the only part of a token that matters here. */
function tokenWith(header: object, jti = 'one'): string {
  const [, payload = ''] = new UnsecuredJWT({ jti }).encode().split('.');
  return `${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}.signature`;
}

const TOKEN = tokenWith({ alg: 'RS256', kid: 'known' });

describe('VerifiedTokens', () => {
  it('knows a token that was verified, to the last letter', () => {
    const health = caller('a');
    add(TOKEN, CLAIMS, health);
    expect([tokens.callerOf(TOKEN, NOW_MS), tokens.callerOf(TOKEN, NOW_MS)]).toEqual([health, health]);
    expect([tokens.callerOf(`${TOKEN}x`, NOW_MS), tokens.callerOf('', NOW_MS)]).toEqual([undefined, undefined]);
  });

  it('forgets it from the second on in which it expires', () => {
    add(TOKEN, CLAIMS, caller('a'));
    expect(tokens.callerOf(TOKEN, 1_999_999)).toBeDefined();
    expect(tokens.callerOf(TOKEN, 2_000_000)).toBeUndefined();
    expect(tokens.callerOf(TOKEN, NOW_MS)).toBeUndefined();
  });

  it('does not know it while the clock is before its times', () => {
    add(TOKEN, claimsWith({ nbf: 1_500 }), caller('a'));
    expect(tokens.callerOf(TOKEN, 1_494_000)).toBeUndefined();
  });

  it('forgets it with its key', () => {
    add(TOKEN, CLAIMS, caller('a'));
    acceptedUntilMs = NOW_MS;
    expect(tokens.callerOf(TOKEN, NOW_MS - 1)).toBeDefined();
    expect(tokens.callerOf(TOKEN, NOW_MS)).toBeUndefined();
  });

  it('keeps none without a kid, whose key may be another one tomorrow', () => {
    const token = tokenWith({ alg: 'RS256' });
    add(token, CLAIMS, caller('a'));
    expect(tokens.callerOf(token, NOW_MS)).toBeUndefined();
  });

  it('keeps fewer the more they grant: those used last', () => {
    const grants = Array.from({ length: 999 }, () => ({ permission: 'record.read' as const, options: {} }));
    const kept = Array.from({ length: 101 }, (_, at) => tokenWith({ alg: 'RS256', kid: 'known' }, String(at)));
    for (const token of kept) add(token, CLAIMS, { ...caller('a'), grants });
    const found = kept.map((token) => tokens.callerOf(token, NOW_MS) !== undefined);
    expect(found).toEqual([false, ...Array.from({ length: 100 }, () => true)]);
  });

  it('checks it again when something was read again, or the clock was put back, and not before', () => {
    const found = () => tokens.callerOf(TOKEN, NOW_MS) !== undefined;
    add(TOKEN, claimsWith({ nbf: NOW_MS / 1_000 }), caller('a'));
    expect(found()).toBe(true);
    deactivated.add('a');
    expect(found()).toBe(true);
    feed.readings += 1;
    expect([found(), found()]).toEqual([false, false]);
    deactivated.delete('a');
    add(TOKEN, claimsWith({ nbf: NOW_MS / 1_000 }), caller('a'));
    expect([found(), tokens.callerOf(TOKEN, NOW_MS - 6_000)]).toEqual([true, undefined]);
  });

  it('asks whoever knows what can change, unless changes are heard', async () => {
    const asked: string[] = [];
    const noting = (name: string) => () => {
      asked.push(name);
      return Promise.resolve();
    };
    const standing = new TokenStanding(
      { current: noting('clients'), isDeactivated: () => false, holdings: () => undefined, refresh: current },
      { current: noting('users'), find: () => undefined, refresh: current },
      { current: noting('revoked'), isRevoked: () => false },
    );
    const unknown = new VerifiedTokens({ current: noting('keys'), acceptedUntilMs: () => undefined }, standing, feed);
    await unknown.current();
    expect(asked).toEqual([]);
    feed.isFollowing = false;
    await unknown.current();
    expect(asked).toEqual(['keys', 'clients', 'users', 'revoked']);
  });

  it('knows none that is longer than any token of ours', () => {
    const long = 'x'.repeat(16_385);
    tokens.add(long, { kid: 'known', claims: CLAIMS, caller: caller('a') });
    expect(tokens.callerOf(long, NOW_MS)).toBeUndefined();
  });

  it('forgets it at once with its client, and knows no administrator among clients', () => {
    const administrators = tokenWith({ alg: 'RS256', kid: 'known' }, 'two');
    add(TOKEN, CLAIMS, caller('a'));
    add(administrators, claimsWith({ userType: 'user' }), caller('a', 'user'));
    deactivated.add('a');
    expect([tokens.callerOf(TOKEN, NOW_MS), tokens.callerOf(administrators, NOW_MS)]).toEqual([
      undefined,
      caller('a', 'user'),
    ]);
  });

  it('is that of a client that another process has just registered, if it is new itself', async () => {
    deactivated.add('a');
    refreshed = () => deactivated.delete('a');
    expect(await tokens.admit(claimsWith({ iat: Date.now() / 1_000 - 60 }), caller('a'))).toBeUndefined();
    expect(await tokens.admit(claimsWith({ iat: Date.now() / 1_000 - 1 }), caller('a'))).toEqual(caller('a'));
  });

  it('forgets it at once when it is revoked, and takes it for nobody’s', async () => {
    const claims = claimsWith({ jti: aUuid(1) });
    add(TOKEN, claims, caller('a'));
    revoked.add(aUuid(1));
    expect([tokens.callerOf(TOKEN, NOW_MS), await tokens.admit(claims, caller('a'))]).toEqual([undefined, undefined]);
  });

  it('keeps ten thousand, and of more those that came last', () => {
    const numbered = (number: number) => tokenWith({ alg: 'RS256', kid: 'known' }, String(number));
    for (let number = 0; number < 10_000; number += 1) add(numbered(number), CLAIMS, caller(String(number)));
    tokens.callerOf(numbered(0), NOW_MS);
    add(numbered(10_000), CLAIMS, caller('10000'));
    const known = [0, 1, 2, 10_000].map((number) => tokens.callerOf(numbered(number), NOW_MS)?.subject);
    expect(known).toEqual(['0', undefined, '2', '10000']);
  });
});

describe('a token of a session', () => {
  const user = (order: Partial<KnownUser> = {}): KnownUser => ({
    status: 'active',
    role: 'CLERK',
    scopes: ['record.search'],
    grants: [{ permission: 'record.search', options: {} }],
    officeId: aUuid(1),
    ...order,
  });
  const anna = { ...caller('anna', 'user'), scopes: ['natlsysadmin'], office: aUuid(9) };
  const claims = claimsWith({ sub: 'anna', userType: 'user', role: 'NATIONAL_SYSTEM_ADMIN' });

  it('may do what the user’s role may do now, in the office where he works now', async () => {
    users.set('anna', user());
    add(TOKEN, claims, anna);
    const now = {
      subject: 'anna',
      userType: 'user',
      office: aUuid(1),
      role: 'CLERK',
      scopes: ['record.search'],
      grants: [{ permission: 'record.search', options: {} }],
    };
    expect(await tokens.admit(claims, anna)).toEqual(now);
    expect(tokens.callerOf(TOKEN, NOW_MS)).toEqual(now);
    users.set('anna', user({ role: 'GONE', scopes: [], grants: [], officeId: aUuid(2) }));
    feed.readings += 1;
    const later = { ...now, office: aUuid(2), role: 'GONE', scopes: [], grants: [] };
    expect(await tokens.admit(claims, anna)).toEqual(later);
    expect(tokens.callerOf(TOKEN, NOW_MS)).toEqual(later);
  });

  it.each(['pending', 'deactivated', undefined] as const)('is refused of a user who is %s', async (status) => {
    add(TOKEN, claims, anna);
    if (status !== undefined) users.set('anna', user({ status }));
    expect(await tokens.admit(claims, anna)).toBeUndefined();
    expect(tokens.callerOf(TOKEN, NOW_MS)).toBeUndefined();
  });

  it('is that of a user whom another process has just created', async () => {
    refreshed = () => users.set('anna', user());
    expect(await tokens.admit(claims, anna)).toMatchObject({ subject: 'anna', role: 'CLERK' });
  });

  it('is told from one that was made on the command line, which says itself what it may do', async () => {
    const made = claimsWith({ sub: 'anna', userType: 'user' });
    expect(await tokens.admit(made, anna)).toBe(anna);
    users.set('anna', user({ status: 'deactivated' }));
    expect(await tokens.admit(made, anna)).toBe(anna);
  });
});
