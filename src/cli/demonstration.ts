import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { demoPlaces, type LocationsFile } from '../../demo/places.js';
import type { Registration } from '../auth/access/scope-permissions.js';
import { SystemClients } from '../auth/clients/system-clients.js';
import { Passwords } from '../auth/users/passwords.js';
import { Roles } from '../auth/users/roles.js';
import { Users } from '../auth/users/users.js';
import { type CalendarDate, DAY_MS } from '../kernel/domain/calendar.js';
import { parseUuid, type Uuid } from '../kernel/domain/uuid.js';
import { sql } from '../kernel/sql/sql.js';
import type { Actor } from '../platform/audit/audit-entry.js';
import type { Config } from '../platform/config/config.js';
import { replaceSynced } from '../platform/config/kept-files.js';
import { Database } from '../platform/database/pools/database.js';
import { seedCountry } from './seed-country.js';

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
const drawDemonstrationUsers = (): Everybody => ({
  registrar: { username: 'registrar', password: aPassword() },
  hospitalClerk: { username: 'clerk', password: aPassword() },
  nationalAdministrator: { username: 'administrator', password: aPassword() },
});

const aPassword = (): string => randomBytes(12).toString('base64url');

/** The clerk at the hospital, others at an office of its province. */
async function createDemonstrationUsers(
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

/** OAuth names. */
export interface DemonstrationClient {
  readonly client_id: Uuid;
  readonly client_secret: string;
  readonly sha_secret: string;
}

export interface Demonstration {
  /** A NATIONAL_ID client, which searches. */
  readonly client: DemonstrationClient;
  /** A HEALTH client. */
  readonly health: DemonstrationClient & { readonly facility: Uuid };
  readonly users: DemonstrationUsers;
}

/** Under `DATA_DIR`: users, then clients. */
type Kept = Partial<Demonstration>;

const DEMONSTRATION_SEED = 1;

const DEMONSTRATION: Actor = { clientId: 'demonstration', clientType: 'user' };

/**
 * Seeds an empty embedded database with country, users and clients (P-9). Killed starts are continued; later ones find
 * credentials in `DATA_DIR` (mode 0600). Undefined without a demonstration.
 */
export async function prepareDemonstration(
  services: INestApplicationContext,
  { DEMO_RECORDS: records, DATA_DIR: dataDir }: Pick<Config, 'DEMO_RECORDS' | 'DATA_DIR'>,
): Promise<Demonstration | undefined> {
  const file = join(dataDir, 'demonstration.json');
  const clients = services.get(SystemClients);
  const kept = await read(file);
  // The database may have been replaced since.
  if (isWhole(kept) && (await clients.find(kept.client.client_id)) !== undefined) return kept;
  const wasBegun = kept !== undefined && kept.client === undefined;
  const database = services.get(Database);
  if (records === 0 || !(wasBegun || (await isEmpty(database)))) return undefined;

  // First, so that a continued start knows the passwords.
  const drawn = kept?.users ?? drawDemonstrationUsers();
  write(file, { users: drawn });
  await seedCountry(services, { records, seed: DEMONSTRATION_SEED, until: yesterday() });
  const places = demoPlaces(DEMONSTRATION_SEED);
  const facility = aFacilityOf(places);
  const users = await createDemonstrationUsers(services, drawn, facility, places, DEMONSTRATION);
  const demonstration: Demonstration = {
    client: await register(clients, 'NATIONAL_ID', 'demonstration'),
    health: { ...(await register(clients, 'HEALTH', 'demonstration hospital')), facility },
    users,
  };
  write(file, demonstration);
  return demonstration;
}

const isWhole = (kept: Kept | undefined): kept is Demonstration => kept?.client !== undefined;

async function register(
  clients: SystemClients,
  registeredAs: Registration,
  name: string,
): Promise<DemonstrationClient> {
  const { clientId, clientSecret, shaSecret } = await clients.register({ registeredAs, name, by: DEMONSTRATION });
  return { client_id: clientId, client_secret: clientSecret.reveal(), sha_secret: shaSecret.reveal() };
}

function aFacilityOf({ locations }: LocationsFile): Uuid {
  const id = parseUuid(locations.find(({ locationType }) => locationType === 'HEALTH_FACILITY')?.id);
  if (id === undefined) throw new Error('the demonstration country has no hospital');
  return id;
}

/** Recent records, none in the future. */
const yesterday = (): CalendarDate => new Date(Date.now() - DAY_MS).toISOString().slice(0, 10) as CalendarDate;

async function isEmpty(database: Database): Promise<boolean> {
  const [row] = await database.query<{ empty: boolean }>(
    sql`select not exists (select from system_client) and not exists (select from event)
               and not exists (select from place) and not exists (select from user_account) as empty`,
  );
  return row?.empty === true;
}

async function read(file: string): Promise<Kept | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Kept;
  } catch {
    return undefined;
  }
}

const write = (file: string, kept: Kept): void => {
  replaceSynced(file, `${JSON.stringify(kept, null, 2)}\n`);
};
