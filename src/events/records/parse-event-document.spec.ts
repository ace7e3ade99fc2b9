import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { anAction } from '../../../test/support/builders/an-action.js';
import { anEventDocument } from '../../../test/support/builders/an-event-document.js';
import { eventDocumentView } from './history-bounds.js';
import { parseEventDocument } from './parse-event-document.js';

const CREATE = {
  id: '00000001-0000-4000-8000-000000000001',
  type: 'CREATE',
  status: 'Accepted',
  createdAt: '2026-01-02T08:00:00Z',
  createdBy: 'u-1',
};
const DOCUMENT = {
  id: '00000002-0000-4000-8000-000000000002',
  type: 'birth',
  trackingId: 'ABC123',
  actions: [CREATE],
};

const issuesOf = (value: unknown): readonly string[] => {
  const parsed = parseEventDocument(value);
  return parsed.kind === 'faulty' ? parsed.issues.map((issue) => issue.message) : [];
};

describe('parsing an event document', () => {
  it('takes the least that an import line has, and dates it by its actions', () => {
    const later = { ...CREATE, id: aUuid(9), type: 'READ', createdAt: '2026-03-01T00:00:00Z' };
    expect(parseEventDocument({ ...DOCUMENT, actions: [later, CREATE] })).toEqual({
      kind: 'parsed',
      value: {
        ...DOCUMENT,
        createdAt: '2026-01-02T08:00:00.000Z',
        updatedAt: '2026-03-01T00:00:00.000Z',
        actions: [
          {
            id: aUuid(9),
            transactionId: aUuid(9),
            type: 'READ',
            status: 'Accepted',
            createdAt: '2026-03-01T00:00:00.000Z',
            createdBy: 'u-1',
            createdByUserType: null,
            createdByRole: null,
            createdAtLocation: null,
            declaration: {},
            annotation: null,
            originalActionId: null,
            assignedTo: null,
            registrationNumber: null,
            requestId: null,
            duplicates: [],
            customActionType: null,
            content: null,
          },
          expect.objectContaining({ id: CREATE.id, transactionId: CREATE.id, type: 'CREATE' }),
        ],
      },
    });
  });

  it('takes back what it writes', () => {
    const document = anEventDocument({
      actions: [
        anAction(),
        anAction({ type: 'ASSIGN', assignedTo: 'registrar' }),
        anAction({ type: 'DECLARE', declaration: { a: { b: null, c: ['x'] }, d: null }, annotation: { note: 'n' } }),
        anAction({
          type: 'DUPLICATE_DETECTED',
          duplicates: [{ id: aUuid(5), trackingId: 'DUP555' }],
          content: { duplicates: [{ id: aUuid(5), trackingId: 'DUP555' }] },
        }),
        anAction({ type: 'REJECT', status: 'Rejected', originalActionId: aUuid(6), content: { reason: 'because' } }),
        anAction({ type: 'REGISTER', registrationNumber: '2026B1' }),
        anAction({ type: 'APPROVE_CORRECTION', requestId: aUuid(8) }),
        anAction({ type: 'CUSTOM', customActionType: 'SEAL', createdByUserType: 'system', createdByRole: null }),
      ],
    });
    expect(parseEventDocument(JSON.parse(JSON.stringify(eventDocumentView(document))))).toEqual({
      kind: 'parsed',
      value: document,
    });
  });

  it('passes over keys that it does not know, as a running upstream may send more', () => {
    expect(
      parseEventDocument({ ...DOCUMENT, deletedAt: null, actions: [{ ...CREATE, createdBySignature: 'a.png' }] }),
    ).toEqual(parseEventDocument(DOCUMENT));
  });

  it('names every fault with its path', () => {
    expect(
      issuesOf({
        id: 'no',
        type: 'birth',
        createdAt: 'yesterday',
        actions: [
          { ...CREATE, type: 'PAINT', status: 'accepted', declaration: 'x' },
          { ...CREATE, id: aUuid(3), type: 'ASSIGN', createdBy: '' },
          { ...CREATE, id: aUuid(4), type: 'DUPLICATE_DETECTED', content: { duplicates: [{ id: aUuid(5) }] } },
          7,
        ],
      }),
    ).toEqual([
      expect.stringMatching(/^actions\[0\]\.type: must be one of DELETE, CREATE, /),
      'actions[0].status: must be one of Requested, Accepted, Rejected',
      'actions[0].declaration: must be an object that maps field ids to values',
      'actions[1].createdBy: must be text of 1 to 256 characters without U+0000 and without unpaired surrogates',
      'actions[1].assignedTo: is required and must be text of 1 to 256 characters without U+0000 and without unpaired surrogates',
      'actions[2].content.duplicates[0].trackingId: is required and must be text of 1 to 256 characters without U+0000 and without unpaired surrogates',
      'actions[3]: must be an object',
      'id: must be a UUID',
      'trackingId: is required and must be text of 1 to 256 characters without U+0000 and without unpaired surrogates',
      'createdAt: must be a date-time in UTC that ends with Z, such as 2026-01-02T03:04:05.000Z, or null',
    ]);
  });

  it('refuses an empty list of actions', () => {
    expect(issuesOf({ ...DOCUMENT, actions: [] })).toEqual(['actions: must be a list of at least one action']);
  });

  it('refuses an id that two actions have', () => {
    expect(issuesOf({ ...DOCUMENT, actions: [CREATE, { ...CREATE, type: 'READ' }] })).toEqual([
      'actions[1].id: is that of an earlier action',
    ]);
  });

  it('wants the registration number of an accepted REGISTER, on it or on the request that it answers', () => {
    const request = { ...CREATE, id: aUuid(3), type: 'REGISTER', status: 'Requested' };
    const accepted = { ...request, id: aUuid(4), status: 'Accepted', originalActionId: aUuid(3) };
    expect(issuesOf({ ...DOCUMENT, actions: [CREATE, request, accepted] })).toEqual([
      'actions[2].registrationNumber: is required of an accepted REGISTER and must be text of 1 to 256 characters without U+0000 and without unpaired surrogates',
    ]);
    expect(issuesOf({ ...DOCUMENT, actions: [CREATE, { ...request, registrationNumber: '7' }, accepted] })).toEqual([]);
    expect(issuesOf({ ...DOCUMENT, actions: [CREATE, request, { ...accepted, registrationNumber: '7' }] })).toEqual([]);
  });
});
