import { Injectable } from '@nestjs/common';

import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { INVALID_INPUT } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { sql } from '../../kernel/sql/sql.js';
import { Roles } from './roles.js';

@Injectable()
export class UserPosts {
  constructor(private readonly roles: Roles) {}

  /** Throws 400 with one issue each for an unknown role and an unsuitable office. */
  async require(
    transaction: Queryable,
    { role, primaryOfficeId }: { readonly role?: string; readonly primaryOfficeId?: Uuid },
  ): Promise<void> {
    const isRole = role === undefined || this.roles.find(role) !== undefined;
    const isOffice = primaryOfficeId === undefined || (await isLocation(transaction, primaryOfficeId));
    const issues = [
      ...(isRole ? [] : [{ message: `role: must be one of ${this.roles.all.map(({ id }) => id).join(', ')}` }]),
      ...(isOffice ? [] : [{ message: 'primaryOfficeId: must be the id of a location' }]),
    ];
    if (issues.length > 0) throw new ServiceError('BAD_REQUEST', INVALID_INPUT, { issues });
  }
}

async function isLocation(transaction: Queryable, id: Uuid): Promise<boolean> {
  const found = await transaction.query(sql`select from place where id = ${id} and kind = 'location'`);
  return found.length > 0;
}
