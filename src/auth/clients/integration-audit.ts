import { Injectable } from '@nestjs/common';
import { type AuditPage, type AuditPageRequest, AuditPages } from '../../platform/audit/audit-pages.js';
import type { Uuid } from '../../kernel/domain/uuid.js';
import { Integrations } from './integrations.js';

/** Audit log of system clients (I-3). Reading leaves no entry. */
@Injectable()
export class IntegrationAudit {
  constructor(
    private readonly integrations: Integrations,
    private readonly pages: AuditPages,
  ) {}

  /** Throws 404 for an unknown or deleted client. */
  async read(request: AuditPageRequest & { readonly clientId: Uuid }): Promise<AuditPage> {
    await this.integrations.find(request.clientId);
    return this.pages.read(request);
  }
}
