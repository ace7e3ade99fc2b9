import { anAction } from '../../../../test/support/builders/an-action.js';
import { anEventDocument } from '../../../../test/support/builders/an-event-document.js';
import type { Instant } from '../../../kernel/domain/calendar.js';
import type { EventAction } from '../../../kernel/domain/event-action.js';
import { confirmedActions, requesterOf, type Verdict } from '../../confirmation/confirm-action.js';
import { eventViewFor } from './event-view.js';

const ID = '1d6a2a9e-2f0e-4f3a-9d55-0a6c1b7a4c01';

describe('eventViewFor', () => {
  it.each([
    ['system', { 'child.name': 'of the system' }],
    ['user', { 'child.name': 'of the user' }],
  ] as const)(
    'shows a %s what it has declared itself, and not what an equal id of another kind has',
    (userType, own) => {
      const actions = (['system', 'user'] as const).map((createdByUserType) =>
        anAction({
          createdBy: ID,
          createdByUserType,
          declaration: { 'child.name': `of the ${createdByUserType}` },
        }),
      );
      const view = eventViewFor({ caller: { subject: ID, userType }, mayRead: false }, anEventDocument({ actions }));
      const shown = (view['actions'] as { declaration: object }[]).map(({ declaration }) => declaration);
      expect(shown.filter((declaration) => Object.keys(declaration).length > 0)).toEqual([own]);
    },
  );

  it('takes who is not said to be of a kind for a user', () => {
    const declaration = { 'child.name': 'of a former release' };
    const document = anEventDocument({ actions: [anAction({ createdBy: ID, createdByUserType: null, declaration })] });
    const shownTo = (userType: 'user' | 'system') =>
      eventViewFor({ caller: { subject: ID, userType }, mayRead: false }, document)['actions'];
    expect([shownTo('user'), shownTo('system')]).toEqual([
      [expect.objectContaining({ declaration })],
      [expect.objectContaining({ declaration: {} })],
    ]);
  });

  it('shows of an answer to the request of another what it says itself, and not what it repeats', () => {
    const [reason, own] = [{ reason: 'of the user' }, { reason: 'of the system' }];
    const asked = anAction({ status: 'Requested', createdBy: 'user', createdByUserType: 'user', content: reason });
    const answered = (content: EventAction['content'], status: 'Accepted' | 'Rejected') =>
      anAction({ status, createdBy: ID, createdByUserType: 'system', originalActionId: asked.id, content });
    const actions = [asked, answered(reason, 'Accepted'), answered(reason, 'Rejected'), answered(own, 'Rejected')];
    const shownTo = (subject: string, userType: 'user' | 'system') =>
      (
        eventViewFor({ caller: { subject, userType }, mayRead: false }, anEventDocument({ actions }))['actions'] as {
          content?: object;
        }[]
      ).map(({ content }) => content);
    expect(shownTo(ID, 'system')).toEqual([undefined, undefined, undefined, own]);
    expect(shownTo('user', 'user')).toEqual([reason, undefined, undefined, undefined]);
  });

  it('shows whoever requested something not what the country configuration adds in his name, but why it refuses', () => {
    const author = { createdBy: ID, createdByUserType: 'system', transactionId: 'one' } as const;
    const asked = anAction({ ...author, type: 'NOTIFY', status: 'Requested', declaration: { 'child.name': 'Asha' } });
    const shownAfter = (verdict: Pick<Verdict, 'status' | 'declaration' | 'annotation'>): string => {
      const event = { document: { actions: [asked] }, record: { assignedTo: null } };
      const now = '2026-03-01T00:00:00.000Z' as Instant;
      const by = requesterOf(asked);
      const actions = [
        asked,
        ...confirmedActions(event, asked, { by, now, verdict: { ...verdict, keepsAssignment: true } }),
      ];
      const caller = { subject: ID, userType: 'system' } as const;
      return JSON.stringify(eventViewFor({ caller, mayRead: false }, anEventDocument({ actions }))['actions']);
    };
    const accepted = shownAfter({ status: 'Accepted', declaration: { nid: 'NID7' }, annotation: { note: 'NOTE7' } });
    expect(accepted).toContain('Asha');
    expect(accepted).not.toMatch(/NID7|NOTE7/);
    expect(shownAfter({ status: 'Rejected', declaration: {}, annotation: { reason: 'WHY' } })).toContain('WHY');
  });
});
