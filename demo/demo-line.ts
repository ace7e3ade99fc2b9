import type { EventAction, EventDocument } from '../src/kernel/domain/event-action.js';
import type {
  EventRecord,
  LegalStatus,
  LegalStatuses,
  PotentialDuplicate,
  RegisteredStatus,
} from '../src/kernel/domain/event-record.js';
import type { Uuid } from '../src/kernel/domain/uuid.js';

type Nullable<T> = { [Key in keyof T]: null extends T[Key] ? Key : never }[keyof T];

/** As in an import line: what may be null may be absent. */
type Written<T> = Omit<T, Nullable<T>> & Partial<Pick<T, Nullable<T>>>;

export interface DemoAction extends Written<Omit<EventAction, 'duplicates' | 'content'>> {
  readonly content?: {
    readonly reason?: string;
    readonly comment?: string;
    readonly templateId?: string;
    readonly duplicates?: readonly PotentialDuplicate[];
    readonly duplicateOf?: Uuid;
  };
}

export interface DemoDocument extends Omit<EventDocument, 'actions'> {
  readonly actions: readonly DemoAction[];
}

export type DemoLegalStatus<S extends LegalStatus> = Written<S>;

/** Without history. */
export interface DemoRecord extends Written<Omit<EventRecord, 'legalStatuses'>> {
  readonly legalStatuses: {
    readonly [Key in keyof LegalStatuses]: DemoLegalStatus<
      Key extends 'REGISTERED' ? RegisteredStatus : LegalStatus
    > | null;
  };
}

/** As `matricula import records` takes it. */
export type DemoLine = DemoDocument | DemoRecord;
