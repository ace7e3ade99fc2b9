import { CLI } from '../../src/platform/audit/audit-entry.js';
import { Users } from '../../src/auth/users/users.js';
import type { UserView } from '../../src/auth/users/user-view.js';
import type { Uuid } from '../../src/kernel/domain/uuid.js';
import { sql } from '../../src/kernel/sql/sql.js';
import { serve, type Service } from './auth-service.js';
import { aUuid } from './builders/a-uuid.js';
import { createTestDatabase, type TestDatabase } from './postgres.js';
import { TokenIssuer } from './token-issuer.js';
import { type Asking, askingAt, ROLES } from './user-routes.js';

/** Two offices of a district, and one elsewhere. */
export const [DISTRICT, OFFICE, COLLEAGUES, ELSEWHERE] = [aUuid(1), aUuid(2), aUuid(3), aUuid(4)];

let count = 0;
/** The body that creates a clerk of `OFFICE`, under a name that no other has. */
export const aUser = (order: object = {}) => ({
  username: `user${(count += 1)}`,
  name: { firstname: 'Kennedy', surname: 'Mweene' },
  role: 'CLERK',
  primaryOfficeId: OFFICE,
  ...order,
});

/** A service of which `ROLES` administer users. */
export interface AdministeredUsers {
  readonly database: TestDatabase;
  readonly service: Service;
  readonly issuer: TokenIssuer;
  /** Asks with an access token. */
  readonly asking: (token: string) => Asking;
  /** Asks as the administrator of the command line. */
  readonly national: Asking;
  /** Asks as a new user. */
  asUser(role: string, primaryOfficeId?: Uuid): Promise<Asking>;
  /** A user whom `national` creates, as `aUser` with these changes. */
  created(order?: object): Promise<UserView>;
  close(): Promise<void>;
}

export async function administerUsers(): Promise<AdministeredUsers> {
  const database = await createTestDatabase();
  await database.database.query(sql`
    insert into place (id, kind, name, part_of, location_type)
    values (${DISTRICT}, 'administrativeArea', 'Ibombo', null, null), (${OFFICE}, 'location', 'One', ${DISTRICT}, null),
           (${COLLEAGUES}, 'location', 'Two', ${DISTRICT}, null), (${ELSEWHERE}, 'location', 'Three', null, null)`);
  const issuer = new TokenIssuer();
  const service = await serve(database, { JWT_PRIVATE_KEY: issuer.pem, ROLES: JSON.stringify(ROLES) });
  const asking = await askingAt(service);
  const national = asking(await issuer.token({ sub: 'cli' }));
  return {
    database,
    service,
    issuer,
    asking,
    national,
    asUser: async (role, primaryOfficeId = OFFICE) => {
      const user = { ...aUser(), role, primaryOfficeId, passwordHash: '$argon2' };
      const { id } = await service.app.get(Users, { strict: false }).create(user, CLI);
      return asking(await issuer.token({ sub: id, role, scope: [] }));
    },
    created: async (order) => {
      const { status, body } = await national('POST', '/users', aUser(order));
      if (status !== 201) throw new Error(`no user was created: ${JSON.stringify(body)}`);
      return body as UserView;
    },
    close: async () => {
      await service.close();
      await database.drop();
    },
  };
}
