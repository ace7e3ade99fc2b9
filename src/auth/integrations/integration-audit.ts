import { Injectable } from '@nestjs/common';

import type { Caller } from '../../access/caller.js';
import type { AuditPage, AuditPageRequest } from '../../audit/audit-pages.js';
import { AuditPages } from '../../audit/audit-pages.js';
import type { Uuid } from '../../domain/uuid.js';
import { ServiceError } from '../../errors/service-error.js';
import { Integrations } from './integrations.js';

/** What a system client did (I-3). Reading it leaves no entry. */
@Injectable()
export class IntegrationAudit {
  constructor(
    private readonly integrations: Integrations,
    private readonly pages: AuditPages,
  ) {}

  /** Throws 403 for a system client, whose log is not for itself, and 404 for an unknown or deleted client. */
  async read(request: AuditPageRequest & { readonly clientId: Uuid }, caller: Caller): Promise<AuditPage> {
    if (caller.userType !== 'user') throw new ServiceError('FORBIDDEN', 'Only users read what system clients did');
    await this.integrations.find(request.clientId);
    return this.pages.read(request);
  }
}
