import { readDto } from '../../platform/dto/read-dto.js';
import type { Actor } from '../../platform/audit/audit-entry.js';
import { type Issue, ServiceError } from '../../kernel/errors/service-error.js';
import { BoundedFaults } from '../../kernel/input/bounded-faults.js';
import { type NdjsonLine, ndjsonLines } from '../../kernel/input/ndjson-lines.js';
import { valueOfLine } from '../../kernel/input/value-of-line.js';
import { CREDENTIALS_LIMIT_BYTES } from '../throttling/credentials-limit.js';
import { NewUserDto } from './new-user.dto.js';
import type { UserRegistration } from './user-registration.js';
import type { StoredUser } from '../users/user-view.js';
import type { Users } from '../users/users.js';

/** A rejected line, and the reason. */
export interface RejectedUser {
  /** Counted from 1. */
  readonly line: number;
  readonly issues: readonly Issue[];
  /** The line as received; its beginning if it was too long to be read. */
  readonly text: string;
}

/** What became of the lines, in numbers. */
export interface UserImportResult {
  readonly imported: number;
  /** Lines whose user was there already, as the line says: those of an import that is run again. */
  readonly unchanged: number;
  readonly rejected: number;
}

interface Register {
  readonly registration: UserRegistration;
  readonly users: Users;
}

interface Options {
  /** Called for every rejected line, in order; the import waits for it. */
  readonly onRejected: (line: RejectedUser) => Promise<void> | void;
  /** Called after every line. `bytes` of the source have been processed. */
  readonly onProgress: (progress: { readonly bytes: number; readonly users: number }) => void;
}

/**
 * Creates the users of an NDJSON stream, one a line, each as `POST /users` takes him (U-6). A line that cannot be
 * accepted is rejected with all its faults and stops nothing. A user who is there already is left as he is: the
 * line is rejected where it says otherwise. Run again, it finishes what was interrupted.
 */
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

/** Whether the user is there as the line says. Throws 409 for one with other values. */
async function isThere(users: Users, order: NewUserDto): Promise<boolean> {
  const known = await users.findByUsername(order.username);
  if (known !== undefined && !isAsOrdered(known, order)) throw otherwise();
  return known !== undefined;
}

/**
 * Registers a user who was not there. Resolves with false if somebody else has done it meanwhile, such as another run
 * of the same file. Throws as `UserRegistration.register` does.
 */
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

/** Throws 400 for a line that is no JSON, has a key twice, or cannot be read. */
function valueOf(line: NdjsonLine): unknown {
  const faults = new BoundedFaults();
  const value = valueOfLine(line, faults);
  faults.throwIfAny();
  return value;
}

/** Whether the user is what the line says. Passwords are not compared. */
function isAsOrdered(known: StoredUser, { username, name, role, primaryOfficeId, email, mobile }: NewUserDto): boolean {
  const [is, ordered] = [
    [known.username, known.name.firstname, known.name.surname, known.role, known.primaryOfficeId],
    [username, name.firstname, name.surname, role, primaryOfficeId].map((text) => text.normalize('NFC')),
  ];
  return (
    is.every((text, at) => text === ordered[at]) && known.email === (email ?? null) && known.mobile === (mobile ?? null)
  );
}
