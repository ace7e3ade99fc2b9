import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/pools/database.js';
import type { UserEntity } from '../../platform/database/schema/user.entity.js';
import { MIB } from '../../kernel/domain/bytes.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { all, rowsWithin, type Sql, sql } from '../../kernel/sql/sql.js';
import { USER_VIEW, type UserView } from './user-view.js';

export interface UserFilter {
  readonly role?: string | undefined;
  readonly officeId?: Uuid | undefined;
  readonly status?: UserEntity['status'] | undefined;
  readonly skip: number;
  readonly count: number;
  /** Hides users the caller may not see. */
  readonly within?: Sql | undefined;
}

/** Limit on names and addresses in a page, which has at least one user. */
const MOST_PAGE_BYTES = MIB;

/** A page may be shorter than asked; the next one starts after its users. */
export interface UserPage {
  readonly results: readonly UserView[];
  readonly total: number;
}

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
        select ${USER_VIEW} from user_account
         where user_id in (select user_id from (${rowsWithin(
           sql`select user_id, username_key, ${SIZE} as bytes from user_account where ${condition}
                order by username_key limit ${count} offset ${skip}`,
           sql`username_key`,
           MOST_PAGE_BYTES,
         )}) page)
         order by username_key`);
      return { results, total: counted?.total ?? 0 };
    });
  }
}

const SIZE = sql`octet_length(concat(username, firstname, surname, email))`;
