import { anAction } from '../../../test/support/builders/an-action.js';
import type { EventAction } from '../../kernel/domain/event-action.js';
import { replayedValues } from './replay.js';

const FIELDS = { a: 1, b: { c: 2, d: [3, 4] } };
const VALUES = 6;
const request = anAction({ type: 'REQUEST_CORRECTION', declaration: FIELDS });
const approval = (): EventAction => anAction({ type: 'APPROVE_CORRECTION', requestId: request.id });
const declared = anAction({ type: 'DECLARE', status: 'Requested', declaration: FIELDS });
const accepted = (): EventAction => anAction({ type: 'DECLARE', originalActionId: declared.id });

describe('the values that a replay applies', () => {
  it.each<[string, readonly EventAction[], number]>([
    ['of an action, at all levels', [anAction({ type: 'DECLARE', declaration: FIELDS })], VALUES],
    ['of a correction, with each approval', [request, approval(), approval(), approval()], 3 * VALUES],
    ['of a request, with each answer', [declared, accepted(), accepted()], 2 * VALUES],
  ])('are counted: %s', (_, actions, expected) => {
    expect(replayedValues(actions, 0)).toBe(expected);
  });

  it('are only estimated where they cannot be too many', () => {
    expect(replayedValues([request, approval(), approval()], 7 * VALUES)).toBe(VALUES);
  });
});
