import { Inject, Injectable } from '@nestjs/common';

import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { WriteDatabase } from '../../platform/database/pools/pools.js';
import type { Queryable } from '../../platform/database/connection/queryable.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { HierarchyCache } from '../../auth/locations/hierarchy-cache.js';
import { sql } from '../../kernel/sql/sql.js';

/** Places of operations. */
@Injectable()
export class OperationPlaces {
  constructor(
    private readonly hierarchy: HierarchyCache,
    @Inject(WriteDatabase) private readonly database: Queryable,
  ) {}

  /**
   * A client's must be a location; a user's is their office. Throws 400. It may be inactive, since reports may follow a
   * closure.
   */
  async placeOf({ userType, office }: Caller, given: Uuid | null): Promise<Uuid | null> {
    if (userType === 'user') {
      if (given !== null) throw badRequest('createdAtLocation is not allowed for non-system users');
      return office ?? null;
    }
    if (given === null) throw badRequest('createdAtLocation is required and must be a valid location id');
    if (!(await this.isLocation(given))) throw badRequest('createdAtLocation must be a valid location id');
    return given;
  }

  /** Looks up new ones: after a 400 the client would not retry. */
  private async isLocation(id: Uuid): Promise<boolean> {
    await this.hierarchy.current();
    if (this.hierarchy.isLocation(id)) return true;
    const found = await this.database.query(sql`select from place where id = ${id} and kind = 'location'`);
    return found.length > 0;
  }
}

const badRequest = (message: string): ServiceError => new ServiceError('BAD_REQUEST', message);
