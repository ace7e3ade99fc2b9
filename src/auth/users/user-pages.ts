import { Injectable } from '@nestjs/common';

import { Database } from '../../database/pools/database.js';
import type { UserEntity } from '../../database/schema/user.entity.js';
import type { Uuid } from '../../domain/uuid.js';
import type { Sql } from '../../sql/sql.js';
import { all, sql } from '../../sql/sql.js';
import type { UserView } from './user-view.js';
import { USER_VIEW } from './user-view.js';

/** Which users, and which of them in their order. */
export interface UserFilter {
  readonly role?: string | undefined;
  readonly officeId?: Uuid | undefined;
  readonly status?: UserEntity['status'] | undefined;
  readonly skip: number;
  readonly count: number;
  /** A condition on the row, for those of whom not everybody may know. */
  readonly within?: Sql | undefined;
}

/** Some of the users that match, and how many do. */
export interface UserPage {
  readonly results: readonly UserView[];
  readonly total: number;
}

/** Lists of users, by their names. */
@Injectable()
export class UserPages {
  constructor(private readonly database: Database) {}

  read({ role, officeId, status, skip, count, within }: UserFilter): Promise<UserPage> {
    const condition = all([
      ...(role === undefined ? [] : [sql`role = ${role}`]),
      ...(officeId === undefined ? [] : [sql`primary_office_id = ${officeId}`]),
      ...(status === undefined ? [] : [sql`status = ${status}`]),
      ...(within === undefined ? [] : [within]),
    ]);
    return this.database.snapshot(async (snapshot) => {
      const [counted] = await snapshot.query<{ readonly total: number }>(
        sql`select count(*)::int as total from user_account where ${condition}`,
      );
      const results = await snapshot.query<UserView>(sql`
        select ${USER_VIEW} from user_account where ${condition}
         order by username_key limit ${count} offset ${skip}`);
      return { results, total: counted?.total ?? 0 };
    });
  }
}
