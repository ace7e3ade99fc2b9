import { aTrackingId } from '../../../../test/support/builders/a-tracking-id.js';
import { aUuid } from '../../../../test/support/builders/a-uuid.js';
import { anAction } from '../../../../test/support/builders/an-action.js';
import { anInstant } from '../../../../test/support/builders/an-instant.js';
import { WITHOUT_FORMS } from '../../../../test/support/without-forms.js';
import { callerOf } from '../../../auth/access/scope-permissions.js';
import { Hierarchy } from '../../../auth/locations/hierarchy-cache.js';
import { RecordAccess } from '../../search/stored-access.js';
import { CurrentEvent } from '../../write/command.js';
import { askedAction } from './asked-action.js';
import { decideAction } from './decide-action.js';

const eventId = aUuid();
const transactionId = 'the same for both';
const caller = callerOf({ sub: 'declarer', userType: 'user', scope: ['record.custom-action'] }, () => undefined);

describe('the repetition of a custom action', () => {
  it('is about the request of its own type, where another one has the same transactionId', () => {
    const [first, second] = ['FIRST', 'SECOND'].map((customActionType) =>
      anAction({ type: 'CUSTOM', status: 'Requested', customActionType, transactionId }),
    );
    if (first === undefined || second === undefined) throw new Error('there are two');
    const event = new CurrentEvent(
      {
        ...{ seq: '1', id: eventId, type: 'birth', trackingId: aTrackingId(), body: null, isDraft: false },
        ...{ createdAt: new Date(0), updatedAt: new Date(0), imported: undefined, characters: 0 },
        actions: [anAction(), first, second],
      },
      WITHOUT_FORMS,
    );
    const rules = { access: new RecordAccess(new Hierarchy([])), configuration: WITHOUT_FORMS };
    const asked = askedAction('CUSTOM', { transactionId }, { customActionType: 'SECOND' });
    const { answer } = decideAction(rules, { caller, eventId, asked, place: null, isAwaited: true })({
      ...{ event, performed: 'before', now: anInstant('2026-03-04T05:06:07Z') },
      ...{ trackingId: undefined, registrationNumber: undefined },
    });
    expect(answer.requested?.id).toBe(second.id);
  });
});
