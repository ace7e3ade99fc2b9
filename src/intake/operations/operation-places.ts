import { Injectable } from '@nestjs/common';

import type { Caller } from '../../access/caller.js';
import type { Uuid } from '../../domain/uuid.js';
import { ServiceError } from '../../errors/service-error.js';
import { HierarchyCache } from '../../locations/hierarchy-cache.js';

/** Where operations are done (records, D.1). */
@Injectable()
export class OperationPlaces {
  constructor(private readonly hierarchy: HierarchyCache) {}

  /**
   * A system client says where, and it must be a location; a user is at his office. Throws 400. Whether the location is
   * active is not asked: what happened there may be told after it was closed.
   */
  async placeOf({ userType, office }: Caller, given: Uuid | null): Promise<Uuid | null> {
    if (userType === 'user') {
      if (given !== null) throw badRequest('createdAtLocation is not allowed for non-system users');
      return office ?? null;
    }
    if (given === null) throw badRequest('createdAtLocation is required and must be a valid location id');
    await this.hierarchy.current();
    if (!this.hierarchy.isLocation(given)) throw badRequest('createdAtLocation must be a valid location id');
    return given;
  }
}

const badRequest = (message: string): ServiceError => new ServiceError('BAD_REQUEST', message);
