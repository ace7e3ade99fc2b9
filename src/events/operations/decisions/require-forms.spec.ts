import { aTrackingId } from '../../../../test/support/builders/a-tracking-id.js';
import { aUuid } from '../../../../test/support/builders/a-uuid.js';
import { anAction } from '../../../../test/support/builders/an-action.js';
import { EventConfiguration } from '../../../kernel/domain/event-configuration/event-configuration.js';
import type { EventType } from '../../../kernel/domain/event-configuration/event-type.js';
import { withoutForm } from '../../../kernel/domain/event-configuration/shipped-event-types.js';
import type { DeclarationChange, EventAction } from '../../../kernel/domain/event-action.js';
import { ServiceError } from '../../../kernel/errors/service-error.js';
import { requireConfirmedForm } from '../../confirmation/confirm-action.js';
import { CurrentEvent } from '../../write/command.js';
import { askedAction } from './asked-action.js';
import { requireForms } from './requirements.js';

const FIELD = { kind: 'ADDRESS', label: null, isRequired: false, isSecured: false, isCorrectable: true } as const;
const TYPE: EventType = { ...withoutForm('birth'), fields: new Map([['home', { ...FIELD, id: 'home' }]]) };
const configuration = new EventConfiguration(['birth'], new Map([['birth', TYPE]]));

const DOMESTIC = { addressType: 'DOMESTIC', country: 'FAR', administrativeArea: aUuid() };
const REQUEST = anAction({ type: 'REQUEST_CORRECTION', declaration: { home: DOMESTIC } });
const eventOf = (actions: readonly EventAction[], types: EventConfiguration): CurrentEvent =>
  new CurrentEvent(
    {
      ...{ seq: '1', id: aUuid(), type: 'birth', trackingId: aTrackingId(), body: null, isDraft: false },
      ...{ createdAt: new Date(0), updatedAt: new Date(0), imported: undefined, characters: 0, actions },
    },
    types,
  );
const event = eventOf([anAction(), anAction({ type: 'REGISTER', registrationNumber: '1' }), REQUEST], configuration);

type Issues = unknown;

function issuesOf(check: () => void): Issues {
  try {
    check();
    return [];
  } catch (error) {
    return error instanceof ServiceError ? error.issues.map(({ message }) => message) : error;
  }
}

/** The faults of an approval that declares this, and of one that is accepted with it. */
function faultsOf(declaration: DeclarationChange): readonly Issues[] {
  const asked = askedAction('APPROVE_CORRECTION', { transactionId: 'tx', requestId: REQUEST.id, declaration });
  const pending = anAction({ type: 'APPROVE_CORRECTION', status: 'Requested', requestId: REQUEST.id });
  return [
    () => {
      requireForms(configuration, 'birth', asked, event);
    },
    () => {
      requireConfirmedForm(configuration, event, pending, declaration);
    },
  ].map(issuesOf);
}

describe('what is accepted as it was requested', () => {
  const form = new Map([
    ['name', { ...FIELD, kind: 'TEXT', isRequired: true, id: 'name' } as const],
    ['constructor', { ...FIELD, kind: 'TEXT', isRequired: false, id: 'constructor' } as const],
  ]);
  const types = new EventConfiguration(['birth'], new Map([['birth', { ...TYPE, fields: form }]]));
  const declare = anAction({ type: 'DECLARE', status: 'Requested' });
  const after = (notified: DeclarationChange, declared: DeclarationChange = {}): Issues =>
    issuesOf(() => {
      const notify = anAction({ type: 'NOTIFY', declaration: notified });
      const actions = [anAction(), anAction({ type: 'NOTIFY', declaration: { name: 'Musonda' } }), declare, notify];
      requireConfirmedForm(types, eventOf(actions, types), { ...declare, declaration: declared }, {});
    });

  it('is checked as it is stored: the other action that waited may have been accepted before', () => {
    expect(after({})).toEqual([]);
    expect(after({ name: null })).toEqual(['declaration["name"]: Required']);
    expect(after({ name: null }, { name: 'Banda' })).toEqual([]);
    expect(after({}, { constructor: null })).toEqual([]);
    expect(after({}, { other: 'x' })).toEqual(['declaration["other"]: Unexpected field']);
  });
});

describe('what the approval of a correction declares itself', () => {
  it('may add to what was requested', () => {
    expect(faultsOf({ home: { streetLevelDetails: { town: 'X' } } })).toEqual([[], []]);
  });

  it('is checked as it is stored: with what was requested', () => {
    const missing = ['declaration["home"].administrativeArea: Required'];
    expect(faultsOf({ home: { administrativeArea: null } })).toEqual([missing, missing]);
  });
});
