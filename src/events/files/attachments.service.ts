import { Inject, Injectable, Logger } from '@nestjs/common';
import { type AttachmentType, extensionOf } from '../../kernel/domain/attachment-type.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { PERMISSIONS_ON_RECORDS } from '../../kernel/domain/scopes/permission.js';
import { derivedUuid, newUuid, parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { isSqlError } from '../../kernel/errors/sql-state.js';
import { sql } from '../../kernel/sql/sql.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { Database } from '../../platform/database/pools/database.js';
import { Jobs } from '../../platform/jobs/jobs.js';
import type { PacedBody } from '../../platform/queue/body-places.js';
import { Capacities } from '../../platform/queue/capacities.js';
import { StoredAccess } from '../search/stored-access.js';
import { readAttachmentForm } from './attachment-form.js';
import { FileStore } from './file-store.js';
import { ReceivedFile, type Settlement, Uploads } from './uploads.js';

const EVERY_MS = 600_000;

/**
 * Marks as unnameable, deletes the file, then the row: after a crash the row remains for a later run, and no nameable
 * row lacks its file.
 */
@Injectable()
export class UploadRemoval {
  private readonly log = new Logger(UploadRemoval.name);

  constructor(
    private readonly uploads: Uploads,
    private readonly store: FileStore,
    jobs: Jobs,
  ) {
    jobs.add({
      ...{ name: UploadRemoval.name, everyMs: EVERY_MS },
      failure: 'uploads that no record names could not be removed; in ten minutes it is tried again',
      work: async (signal) => {
        const removed = await this.removeUnnamed(signal);
        if (removed > 0) this.log.log(`uploads that no record names were removed: ${removed}`);
      },
    });
  }

  /**
   * Never removes a settled upload, whose commit its sender may have missed or a retry relied on. If the store's
   * outcome is unclear, the row stays for another removal.
   */
  async remove(id: Uuid, { isUnclear = false } = {}): Promise<void> {
    if (!(await this.uploads.giveUp(id))) return;
    await this.store.remove(id);
    if (!isUnclear) await this.uploads.forget(id);
  }

  /** Returns the number removed. Skips failing ones, and throws the first failure at the end. */
  async removeUnnamed(signal?: AbortSignal): Promise<number> {
    const failures: unknown[] = [];
    let removed = 0;
    for (;;) {
      const ids = await this.uploads.giveUpUnnamed();
      const before = removed;
      for (const id of ids) {
        if (signal?.aborted === true) return removed;
        await this.finish(id).then(
          () => (removed += 1),
          (failure: unknown) => failures.push(failure),
        );
      }
      // If none could be removed, the store is down.
      if (removed > before) continue;
      if (failures.length > 0) throw failures[0];
      return removed;
    }
  }

  private async finish(id: Uuid): Promise<void> {
    await this.store.remove(id);
    await this.uploads.forget(id);
  }
}

interface PathParts {
  readonly eventId: Uuid | null;
  readonly uploader: string;
  readonly transactionId: string;
  readonly type: AttachmentType;
}

const ZERO = parseUuid('00000000-0000-0000-0000-000000000000') as Uuid;

/**
 * F-1: `events/{id}/{transactionId}.{ext}`, or without an event
 * `uploads/{a UUID of the uploader}/{transactionId}.{ext}`, so that uploaders never collide.
 */
const pathOfUpload = ({ eventId, uploader, transactionId, type }: PathParts): string =>
  `${eventId === null ? `uploads/${derivedUuid(ZERO, uploader)}` : `events/${eventId}`}/${transactionId}.${extensionOf(type)}`;

/** A colliding upload may be removed concurrently. */
const MOST_TRIES = 3;

/** Maximum wait for a writer of the event. */
const LOCK_WAIT = sql`set local lock_timeout = '2s'`;

interface Upload {
  readonly body: PacedBody;
  readonly contentType: string;
  readonly hungUp: AbortSignal;
}

/** Uploads of attachments (F-1). */
@Injectable()
export class Attachments {
  private readonly log = new Logger(Attachments.name);

  constructor(
    private readonly database: Database,
    private readonly uploads: Uploads,
    private readonly store: FileStore,
    private readonly removal: UploadRemoval,
    private readonly access: StoredAccess,
    private readonly audit: AuditLog,
    private readonly capacities: Capacities,
    @Inject(CONFIG) private readonly config: Pick<Config, 'ATTACHMENT_LIMIT_BYTES' | 'ATTACHMENT_TYPES'>,
  ) {}

  /**
   * Returns the path, the same for a retry (R-5). A failed upload leaves nothing, unless the database outcome is
   * unknown. Throws 400, 413 or 415 for the form or file, and 404 for an event outside the caller's scopes. Throws 409
   * if the transaction had another file, 503 for overload, store failure or a lost row.
   */
  upload(caller: Caller, upload: Upload): Promise<string> {
    const { body, hungUp } = upload;
    return this.capacities
      .receive('uploads', { client: caller.subject, body, hungUp }, () => this.receive(caller, upload))
      .finally(() => body.destroy());
  }

  private async receive(caller: Caller, { body, contentType, hungUp }: Upload): Promise<string> {
    const id = newUuid();
    const progress = { isBegun: false, isKept: false, isUnclear: false };
    try {
      const form = { body, contentType, limitBytes: this.config.ATTACHMENT_LIMIT_BYTES };
      const { fields, file } = await readAttachmentForm(form, async (part) => {
        const received = await ReceivedFile.begin(part, this.config.ATTACHMENT_TYPES);
        progress.isBegun = true;
        await this.uploads.begin(id, caller.subject);
        const onUnclear = (): void => void (progress.isUnclear = true);
        await this.store.write(id, received.content(), { type: received.type, signal: hungUp, onUnclear });
        return received.facts();
      });
      // Any permission on the record suffices (F-1).
      if (fields.eventId !== undefined) await this.access.require(caller, PERMISSIONS_ON_RECORDS, fields.eventId);
      const settlement = { ...file, ...fields, eventId: fields.eventId ?? null, uploader: caller.subject };
      const path = pathOfUpload(settlement);
      // Uploads for a locked event wait in turn, so that they do not take all connections.
      progress.isKept = await this.capacities.run('files', { client: caller.subject, hungUp }, () =>
        this.settle(caller, id, { ...settlement, path }),
      );
      return path;
    } finally {
      // On failure, the removal of unnamed uploads finds it.
      if (progress.isBegun && !progress.isKept) {
        await this.removal.remove(id, progress).catch((error: unknown) => {
          this.log.warn('an upload that is not kept could not be removed yet', error);
        });
      }
    }
  }

  /** False if the same file exists. */
  private async settle(caller: Caller, id: Uuid, settlement: Settlement): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      const known = await this.uploads.findAgain(settlement);
      if (known !== undefined) {
        if (known.path === settlement.path && known.sha256.equals(settlement.sha256)) return false;
        throw new ServiceError('CONFLICT', 'transactionId was used for another file');
      }
      try {
        await this.database.transaction(async (transaction) => {
          await this.uploads.settle(transaction, id, settlement);
          await this.audit.record(transaction, {
            ...actorOf(caller),
            operation: 'attachments.upload',
            requestData: {
              transactionId: settlement.transactionId,
              path: settlement.eventId === null ? null : `events/${settlement.eventId}`,
            },
            responseSummary: { fileUrl: settlement.path },
          });
        }, LOCK_WAIT);
        return true;
      } catch (error) {
        if (isSqlError(error, 'lockNotAvailable')) throw eventHeld(error);
        if (!isSqlError(error, 'uniqueViolation') || tries === MOST_TRIES) throw error;
      }
    }
  }
}

const eventHeld = (cause: unknown): ServiceError =>
  new ServiceError('SERVICE_UNAVAILABLE', 'The event is being changed; send the file again', {
    headers: { 'retry-after': '1' },
    refusal: 'writes-waiting',
    cause,
  });
