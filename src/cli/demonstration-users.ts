import { randomBytes } from 'node:crypto';

import type { INestApplicationContext } from '@nestjs/common';

import type { Actor } from '../platform/audit/audit-entry.js';
import { Passwords } from '../auth/users/passwords.js';
import { Roles } from '../auth/users/roles.js';
import { Users } from '../auth/users/users.js';
import type { LocationsFile } from '../../demo/places.js';
import type { Uuid } from '../kernel/domain/uuid.js';

export interface DemonstrationUser {
  readonly username: string;
  readonly password: string;
}

/** The users of the demonstration country (U-1). */
interface Everybody {
  /** In the province of the hospital. */
  readonly registrar: DemonstrationUser;
  /** At the hospital. */
  readonly hospitalClerk: DemonstrationUser;
  readonly nationalAdministrator: DemonstrationUser;
}

/** Partial: `ROLES_FILE` may define other roles. */
export type DemonstrationUsers = Partial<Everybody>;

const PEOPLE = {
  registrar: { role: 'LOCAL_REGISTRAR', name: { firstname: 'Kennedy', surname: 'Mulenga' } },
  hospitalClerk: { role: 'HOSPITAL_CLERK', name: { firstname: 'Ruth', surname: 'Tembo' } },
  nationalAdministrator: { role: 'NATIONAL_SYSTEM_ADMIN', name: { firstname: 'Grace', surname: 'Zulu' } },
} as const satisfies Readonly<Record<keyof Everybody, object>>;

const KINDS = ['registrar', 'hospitalClerk', 'nationalAdministrator'] as const;

/** Passwords of 96 random bits; not created yet. */
export const drawDemonstrationUsers = (): Everybody => ({
  registrar: { username: 'registrar', password: aPassword() },
  hospitalClerk: { username: 'clerk', password: aPassword() },
  nationalAdministrator: { username: 'administrator', password: aPassword() },
});

const aPassword = (): string => randomBytes(12).toString('base64url');

/** The clerk at the hospital, others at an office of its province. */
export async function createDemonstrationUsers(
  services: INestApplicationContext,
  drawn: DemonstrationUsers,
  hospital: Uuid,
  { locations }: LocationsFile,
  by: Actor,
): Promise<DemonstrationUsers> {
  const province = locations.find(({ id }) => id === hospital)?.partOf;
  const office = locations.find(({ partOf, locationType }) => partOf === province && locationType === 'CRVS_OFFICE');
  if (office === undefined) throw new Error('the demonstration country has no office beside its hospital');
  const [roles, users, passwords] = [services.get(Roles), services.get(Users), services.get(Passwords)];
  const created: { -readonly [Kind in keyof DemonstrationUsers]: DemonstrationUser } = {};
  for (const kind of KINDS) {
    const user = drawn[kind];
    if (user === undefined || roles.find(PEOPLE[kind].role) === undefined) continue;
    const { username } = user;
    created[kind] = user;
    if ((await users.findByUsername(username)) !== undefined) continue;
    const passwordHash = await passwords.hash(user.password);
    const primaryOfficeId = kind === 'hospitalClerk' ? hospital : office.id;
    const email = `${username}@demonstration.example`;
    await users.create({ ...PEOPLE[kind], username, primaryOfficeId, email, passwordHash }, by);
  }
  return created;
}
