import { aRecord } from '../../../../test/support/builders/a-record.js';
import { aTrackingId } from '../../../../test/support/builders/a-tracking-id.js';
import { aUuid } from '../../../../test/support/builders/a-uuid.js';
import { anAction } from '../../../../test/support/builders/an-action.js';
import type { EventAction } from '../../../kernel/domain/event-action.js';
import type { CurrentEvent } from '../../write/command.js';
import { DuplicatesWanted, requireDuplicates } from './decide-action.js';

const record = aRecord();
const found = [{ id: aUuid(), trackingId: aTrackingId() }];
const searched = { declaration: record.declaration, found };

const eventWith = (...actions: readonly EventAction[]): CurrentEvent =>
  ({ document: { actions }, recordAfter: () => record }) as unknown as CurrentEvent;

const wantedBy = (...given: Parameters<typeof requireDuplicates>): unknown => {
  try {
    return requireDuplicates(...given);
  } catch (error) {
    return error instanceof DuplicatesWanted ? { isSettled: error.isSettled } : error;
  }
};

describe('the duplicates that a decision rests on', () => {
  it('are those that were found for the same declaration', () => {
    const event = eventWith();
    expect(wantedBy(event, record, undefined)).toEqual({ isSettled: false });
    expect(wantedBy(event, record, searched)).toBe(found);
    expect(wantedBy(event, record, { ...searched, declaration: { another: 1 } })).toEqual({ isSettled: false });
  });

  it('are asked for anew if the record was marked as none since: it may be registered, and needs a number', () => {
    const marked = eventWith(anAction({ type: 'MARK_AS_NOT_DUPLICATE' }));
    expect(wantedBy(marked, record, searched)).toEqual({ isSettled: true });
    expect(wantedBy(marked, record, { ...searched, found: [] })).toEqual([]);
  });
});
