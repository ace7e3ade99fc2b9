import { hash, parseOptions } from '@node-rs/argon2';

import { Capacities } from '../../platform/queue/capacities.js';
import { OtherWork } from '../../platform/queue/other-work.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { DECOY, Passwords, restMs } from './passwords.js';

const capacities = (): Capacities => new Capacities({ DATABASE_POOL_SIZE: 4 });
const outcomeOf = (error: unknown): unknown =>
  error instanceof ServiceError && { code: error.code, headers: error.headers, refusal: error.refusal };

describe('Passwords', () => {
  it('hashes by Argon2id with 19 MiB and two passes, each time with another salt', async () => {
    const passwords = new Passwords(capacities());
    const [one, other] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(other).not.toBe(one);
  });

  it('knows the password again, however it was composed, and no other', async () => {
    const passwords = new Passwords(capacities());
    const hashed = await passwords.hash('Señorita 2026');
    expect([
      await passwords.matches(hashed, 'Señorita 2026'),
      await passwords.matches(hashed, 'Sen\u0303orita 2026'),
      await passwords.matches(hashed, 'Senorita 2026'),
      await passwords.matches(hashed, ''),
    ]).toEqual([true, true, false, false]);
  });

  it('compares with a hash of the same cost where there is none, and finds no password for it', async () => {
    const passwords = new Passwords(capacities());
    expect(parseOptions(DECOY)).toEqual(parseOptions(await passwords.hash('anything')));
    expect(await passwords.matches(undefined, 'anything')).toBe(false);
  });

  it('refuses the latest of an address that has too many waiting, and nothing of another', async () => {
    const passwords = new Passwords(capacities());
    const cheap = await hash('right', { memoryCost: 8, timeCost: 1 });
    const many = Array.from({ length: 400 }, () => passwords.matches(cheap, 'right', '10.0.0.1').catch(outcomeOf));
    const other = passwords.matches(cheap, 'right', '10.0.0.2');
    const outcomes = await Promise.all(many);
    expect(await other).toBe(true);
    expect(outcomes.filter((outcome) => outcome === true).length).toBeGreaterThanOrEqual(200);
    expect(outcomes.at(-1)).toEqual({
      code: 'SERVICE_UNAVAILABLE',
      headers: { 'retry-after': '1' },
      refusal: 'passwords-waiting',
    });
  });

  it('lets an address from where somebody has signed in wait for no storm of strangers', async () => {
    const passwords = new Passwords(capacities());
    const cheap = await hash('right', { memoryCost: 8, timeCost: 1 });
    expect(await passwords.matches(cheap, 'right', 'an office')).toBe(true);
    const done: string[] = [];
    const strangers = Array.from({ length: 100 }, (_, at) =>
      passwords.matches(cheap, 'wrong', `10.0.${at}.1`).then(() => done.push('stranger')),
    );
    const office = passwords.matches(cheap, 'right', 'an office').then(() => done.push('office'));
    await Promise.all([...strangers, office]);
    expect(done.indexOf('office')).toBeLessThanOrEqual(2);
  });

  it('rests between hashes beside other requests, after the answer, and for a second at most', async () => {
    expect([restMs(8, 1), restMs(8, 2), restMs(8, 8), restMs(8, 64), restMs(9_000, 2)].map(Math.round)).toEqual([
      92, 42, 17, 0, 1_000,
    ]);
    const otherWork = new OtherWork();
    const passwords = new Passwords(capacities(), otherWork);
    otherWork.begin();
    const hashes = [passwords.hash('one'), passwords.hash('other', '10.0.0.2')];
    await expect(Promise.all(hashes)).resolves.toHaveLength(2);
  });
});
