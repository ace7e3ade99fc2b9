import { aRecord } from '../../../test/support/builders/a-record.js';
import { anAction } from '../../../test/support/builders/an-action.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import { publishedChanges } from './event-publisher.js';

const record = aRecord();
const requested = anAction({ type: 'REGISTER', status: 'Requested' });
const accepted = anAction({ type: 'REGISTER', originalActionId: requested.id, registrationNumber: '2026B1' });
const published = (newActions: readonly EventAction[], knownActions: readonly EventAction[] = []): unknown =>
  publishedChanges({ record, newActions, knownActions }).map(({ action }) => action);

describe('publishedChanges', () => {
  it('publishes what is accepted, and neither what is asked for nor what is refused', () => {
    const rejected = anAction({ type: 'REGISTER', status: 'Rejected', originalActionId: requested.id });
    expect(published([requested, rejected])).toEqual([]);
    expect(published([requested, accepted])).toEqual([accepted]);
    expect(publishedChanges({ record, newActions: [accepted], knownActions: [requested] })).toEqual([
      { record, action: accepted },
    ]);
  });

  it('publishes one request once, whoever accepts it again', () => {
    const again = anAction({ type: 'REGISTER', originalActionId: requested.id, registrationNumber: '2026B1' });
    expect(published([accepted, again])).toEqual([accepted]);
    expect(published([again], [requested, accepted])).toEqual([]);
    const atOnce = anAction({ id: requested.id, type: 'REGISTER', registrationNumber: '2026B1' });
    expect(published([again], [atOnce])).toEqual([]);
  });

  it('publishes each of several that were asked for one by one', () => {
    const prints = [anAction({ type: 'PRINT_CERTIFICATE' }), anAction({ type: 'PRINT_CERTIFICATE' })];
    expect(published(prints, [accepted])).toEqual(prints);
  });
});
