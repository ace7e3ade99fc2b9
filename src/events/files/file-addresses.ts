import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ClientSecretHash } from '../../auth/secrets/client-secret-hash.js';
import { equalInConstantTime } from '../../auth/secrets/secrets-box.js';
import type { Caller } from '../../kernel/domain/scopes/caller.js';
import { parseUuid, type Uuid } from '../../kernel/domain/uuid.js';
import { invalidInput } from '../../kernel/errors/faults.js';
import { ServiceError } from '../../kernel/errors/service-error.js';
import { actorOf } from '../../platform/audit/audit-entry.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { type Config, CONFIG } from '../../platform/config/config.js';
import { StoredAccess } from '../search/stored-access.js';
import { FileStore } from './file-store.js';
import { type StoredUpload, Uploads } from './uploads.js';

const PURPOSE = 'addresses of files';

export interface SignedQuery {
  readonly expires?: unknown;
  readonly signature?: unknown;
}

/** Signed, expiring addresses (F-3). */
@Injectable()
export class SignedAddress {
  constructor(private readonly keys: ClientSecretHash) {}

  /** Path and query. */
  async of(id: Uuid, seconds: number, nowMs: number): Promise<string> {
    const expires = String(Math.floor(nowMs / 1_000) + seconds);
    return `/files/${id}?expires=${expires}&signature=${await this.signatureOf(id, expires)}`;
  }

  /** Whether the signature is valid and unexpired, in constant time. */
  async isGood(id: string, { expires, signature }: SignedQuery, nowMs: number): Promise<boolean> {
    if (typeof expires !== 'string' || typeof signature !== 'string') return false;
    const isSigned = equalInConstantTime(await this.signatureOf(id, expires), signature);
    return isSigned && nowMs < Number(expires) * 1_000;
  }

  private async signatureOf(id: string, expires: string): Promise<string> {
    return createHmac('sha256', await this.keys.keyFor(PURPOSE))
      .update(`${id} ${expires}`)
      .digest('base64url');
  }
}

export const fileNameOf = ({ path }: Pick<StoredUpload, 'path'>): string => path.slice(path.lastIndexOf('/') + 1);

const PATH = /^(?:events|uploads)\/([^/]+)\/([^/]+)$/;

/** `publicAddress` has no trailing slash. */
export interface AddressAsker {
  readonly caller: Caller;
  readonly publicAddress: string;
}

/** Temporary addresses of files (F-3). */
@Injectable()
export class FileAddresses {
  constructor(
    private readonly uploads: Uploads,
    private readonly store: FileStore,
    private readonly signed: SignedAddress,
    private readonly access: StoredAccess,
    private readonly audit: AuditLog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PRESIGNED_URL_SECONDS'>,
  ) {}

  /**
   * `fileId` is the last segment of its path. Throws 404 for an unreadable record or another's file; 409 if several
   * have this name.
   */
  ofFile(eventId: Uuid, fileId: string, asker: AddressAsker): Promise<string> {
    return this.ofNamed(eventId, () => this.calledSo(eventId, fileId), asker);
  }

  /** By path, as release 2.1 asks. Throws 400 for an invalid path, and 404 as `ofFile`. */
  async ofPath(path: string, asker: AddressAsker): Promise<string> {
    const [, of, fileId] = PATH.exec(path) ?? [];
    const eventId = parseUuid(of);
    if (eventId === undefined || fileId === undefined) {
      throw invalidInput('filePath: must be the path of a file, as declarations have it');
    }
    const under = (): Promise<StoredUpload | undefined> => this.uploads.under(path);
    if (path.startsWith('events/')) {
      const find = async (): Promise<StoredUpload> => {
        const upload = await under();
        return upload?.namedBy === eventId ? upload : this.calledSo(eventId, fileId);
      };
      return this.ofNamed(eventId, find, asker);
    }
    const upload = await under();
    if (!upload?.namedBy || !(await this.access.covers(asker.caller, ['record.read'], upload.namedBy))) {
      throw fileNotFound(path);
    }
    return this.addressOf(upload, upload.namedBy, asker);
  }

  /** Checks access before looking for the file. */
  private async ofNamed(eventId: Uuid, find: () => Promise<StoredUpload>, asker: AddressAsker): Promise<string> {
    await this.access.require(asker.caller, ['record.read'], eventId);
    return this.addressOf(await find(), eventId, asker);
  }

  private async calledSo(eventId: Uuid, fileId: string): Promise<StoredUpload> {
    const [upload, other] = await this.uploads.namedBy(eventId, fileId);
    if (upload === undefined) throw fileNotFound(fileId);
    if (other === undefined) return upload;
    throw new ServiceError('CONFLICT', `The event names several files called ${fileId}`, {
      issues: [upload, other].map(({ path }) => ({ message: `fileId: may be that of ${path}` })),
    });
  }

  private async addressOf(upload: StoredUpload, eventId: Uuid, asker: AddressAsker): Promise<string> {
    const seconds = this.config.PRESIGNED_URL_SECONDS;
    const file = { id: upload.id, fileName: fileNameOf(upload), type: upload.type };
    const address =
      (await this.store.addressOf(file, seconds)) ??
      `${asker.publicAddress}${await this.signed.of(upload.id, seconds, Date.now())}`;
    // Also for users, since later use of the address is not recorded (I-2).
    this.audit.note({
      ...actorOf(asker.caller),
      operation: 'event.file.getPresignedUrl',
      requestData: { eventId, filePath: upload.path },
      responseSummary: null,
    });
    return address;
  }
}

const fileNotFound = (name: string): ServiceError => new ServiceError('NOT_FOUND', `File not found: ${name}`);
