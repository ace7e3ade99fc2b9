import { aTrackingId } from '../../../test/support/builders/a-tracking-id.js';
import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { anAction } from '../../../test/support/builders/an-action.js';
import { anInstant } from '../../../test/support/builders/an-instant.js';
import { WITHOUT_FORMS } from '../../../test/support/without-forms.js';
import { EventConfiguration } from '../../kernel/domain/event-configuration/event-configuration.js';
import { withoutForm } from '../../kernel/domain/event-configuration/shipped-event-types.js';
import type { DeclarationChange } from '../../kernel/domain/event-action.js';
import { CurrentEvent } from '../write/command.js';
import { confirmAction, type DecidingAnswer, Unacceptable } from './confirm-action.js';

const eventId = aUuid();
const fields = (count: number, from = 0): DeclarationChange =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${from + at}`, 1]));
const NOTIFIED = anAction({ type: 'NOTIFY', declaration: fields(1_500) });
const DECLARE = anAction({ type: 'DECLARE', status: 'Requested', declaration: fields(501, 1_500) });

/** The statuses of what is appended. */
function decided(answer: DecidingAnswer, configuration = WITHOUT_FORMS, requested = DECLARE): readonly string[] {
  const actions = [anAction(), ...(requested === DECLARE ? [NOTIFIED, anAction({ type: 'EDIT' })] : []), requested];
  const history = { actions, imported: undefined, characters: 0 };
  const event = new CurrentEvent(
    {
      ...{ seq: '1', id: eventId, type: 'birth', trackingId: aTrackingId(), body: null, isDraft: false },
      ...{ createdAt: new Date(0), updatedAt: new Date(0), ...history },
    },
    configuration,
  );
  const request = { eventId, actionId: requested.id, actionType: requested.type };
  const now = anInstant('2026-03-04T05:06:07Z');
  const { change } = confirmAction(configuration, request, answer).decide({
    ...{ event, performed: 'not yet', now, trackingId: undefined, registrationNumber: undefined },
  });
  return change?.kind === 'append' ? change.actions.map(({ status }) => status) : [];
}

describe('what was requested and would make the record larger than any may be', () => {
  it('can be rejected, but not accepted', () => {
    const acceptance = { kind: 'accepted', declaration: {}, annotation: null, registrationNumber: undefined } as const;
    expect(() => decided(acceptance)).toThrow(
      new Unacceptable('declaration: would have 2001 values; at most 2000 are allowed'),
    );
    expect(decided({ kind: 'rejected', reason: 'too much' })).toEqual(['Rejected']);
  });
});

describe('what was requested and is refused by the form of what the record has become', () => {
  it('makes a rejection of an acceptance without a declaration, and asks again after one with', () => {
    const types = new EventConfiguration(
      ['birth'],
      new Map([['birth', { ...withoutForm('birth'), fields: new Map() }]]),
    );
    const acceptance = { kind: 'accepted', declaration: {}, annotation: null, registrationNumber: undefined } as const;
    const refused = 'declaration["f1500"]: Unexpected field';
    const bare = anAction({ type: 'DECLARE', status: 'Requested', declaration: { f1500: 1 } });
    expect(() => decided(acceptance, types, bare)).toThrow(Unacceptable);
    expect(() => decided(acceptance, types, bare)).toThrow(refused);
    expect(() => decided({ ...acceptance, declaration: { f1500: 2 } }, types, bare)).toThrow('Input validation failed');
  });
});

describe('the notifications of what the country configuration accepts', () => {
  it('enclose files, whatever the type of the action (W-13)', () => {
    const request = { eventId, actionId: DECLARE.id, actionType: 'PRINT_CERTIFICATE' } as const;
    const accepted = { kind: 'accepted', declaration: {}, annotation: null, registrationNumber: undefined } as const;
    expect(confirmAction(WITHOUT_FORMS, request, accepted).publishes).toEqual(['PRINT_CERTIFICATE']);
    const rejected = { kind: 'rejected', reason: undefined } as const;
    expect(confirmAction(WITHOUT_FORMS, request, rejected).publishes).toBeUndefined();
  });

  it('have the id of the request that is accepted (G-5)', () => {
    const request = { eventId, actionId: DECLARE.id, actionType: DECLARE.type, correlationId: 'request-1' };
    const accepted = { kind: 'accepted', declaration: {}, annotation: null, registrationNumber: undefined } as const;
    expect(confirmAction(WITHOUT_FORMS, request, accepted).correlationId).toBe('request-1');
  });
});
