import { readDto } from '../../platform/dto/read-dto.js';
import type { Actor } from '../../platform/audit/audit-entry.js';
import { type Issue, ServiceError } from '../../kernel/errors/service-error.js';
import { BoundedFaults } from '../../kernel/input/input.js';
import { type NdjsonLine, ndjsonLines, valueOfLine } from '../../kernel/input/ndjson-lines.js';
import { CREDENTIALS_LIMIT_BYTES } from '../access/decorators.js';
import { NewUserDto } from './new-user.dto.js';
import type { UserChanges } from './user-changes.js';
import type { Users } from '../users/users.js';
import type { StoredUser } from '../users/user-view.js';

export interface RejectedUser {
  /** Counted from 1. */
  readonly line: number;
  readonly issues: readonly Issue[];
  /** As received; truncated if too long. */
  readonly text: string;
}

export interface UserImportResult {
  readonly imported: number;
  /** Users that already exist as given, such as on a second run. */
  readonly unchanged: number;
  readonly rejected: number;
}

interface Register {
  readonly registration: UserChanges;
  readonly users: Users;
}

interface Options {
  /** Called in order; the import waits for it. */
  readonly onRejected: (line: RejectedUser) => Promise<void> | void;
  /** Called after every line; `bytes` of the source are processed. */
  readonly onProgress: (progress: { readonly bytes: number; readonly users: number }) => void;
}

/** From NDJSON, each as for `POST /users` (U-6, R-3). A user with other values is rejected. May be repeated. */
export async function importUsers(
  { registration, users }: Register,
  source: AsyncIterable<Uint8Array>,
  by: Actor,
  { onRejected, onProgress }: Options,
): Promise<UserImportResult> {
  const counts = { imported: 0, unchanged: 0, rejected: 0 };
  for await (const lines of ndjsonLines(source, CREDENTIALS_LIMIT_BYTES)) {
    for (const line of lines) {
      try {
        const order = await readDto(NewUserDto, valueOf(line));
        const isNew = !(await isThere(users, order)) && (await registerUnlessThere({ registration, users }, order, by));
        counts[isNew ? 'imported' : 'unchanged'] += 1;
      } catch (error) {
        if (!(error instanceof ServiceError) || !REJECTIONS.has(error.code)) throw error;
        counts.rejected += 1;
        const issues = error.issues.length > 0 ? error.issues : [{ message: error.message }];
        await onRejected({ line: line.number, issues, text: line.text });
      }
      onProgress({ bytes: line.end, users: counts.imported + counts.unchanged + counts.rejected });
    }
  }
  return counts;
}

/** Throws 409 for a user with other values. */
async function isThere(users: Users, order: NewUserDto): Promise<boolean> {
  const known = await users.findByUsername(order.username);
  if (known !== undefined && !isAsOrdered(known, order)) throw otherwise();
  return known !== undefined;
}

/** False if another run created the user meanwhile. Throws as `UserChanges.register`. */
async function registerUnlessThere({ registration, users }: Register, order: NewUserDto, by: Actor): Promise<boolean> {
  try {
    await registration.register(order, by);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'CONFLICT' && (await isThere(users, order))) return false;
    throw error;
  }
}

const otherwise = (): ServiceError =>
  new ServiceError('CONFLICT', 'username: is that of another user, or of this one with other values');

const REJECTIONS: ReadonlySet<string> = new Set(['BAD_REQUEST', 'CONFLICT']);

/** Throws 400 for invalid JSON, a repeated key, or an unreadable line. */
function valueOf(line: NdjsonLine): unknown {
  const faults = new BoundedFaults();
  const value = valueOfLine(line, faults);
  faults.throwIfAny();
  return value;
}

/** Passwords are not compared. */
function isAsOrdered(known: StoredUser, { username, name, role, primaryOfficeId, email, mobile }: NewUserDto): boolean {
  const [is, ordered] = [
    [known.username, known.name.firstname, known.name.surname, known.role, known.primaryOfficeId],
    [username, name.firstname, name.surname, role, primaryOfficeId].map((text) => text.normalize('NFC')),
  ];
  return (
    is.every((text, at) => text === ordered[at]) && known.email === (email ?? null) && known.mobile === (mobile ?? null)
  );
}
