/**
 * The rules of the country: what is said of a requested action at once. `later` when somebody else has to be asked.
 *
 * @param {object} event the event document
 * @param {object} action the Requested action that waits
 */
export function decide(event, action) {
  const declaration = declarationOf(event, action);
  const born = declaration['child.dob'];
  if (typeof born === 'string' && born > new Date().toISOString().slice(0, 10)) {
    return { kind: 'reject', reason: `child.dob: ${born} is in the future` };
  }
  // Whether the parents are known is looked up elsewhere, which takes a while.
  if (action.type === 'DECLARE') return { kind: 'later' };
  // The same however often it is asked: the same action may be posted twice.
  if (action.type === 'REGISTER') return { kind: 'accept', body: { registrationNumber: `EX-${event.trackingId}` } };
  return { kind: 'accept', body: {} };
}

/** The action without an answer: Matricula posts one at a time for an event. */
export function pendingAction({ actions }) {
  const answered = new Set(actions.map(({ originalActionId }) => originalActionId));
  return actions.findLast(({ id, status }) => status === 'Requested' && !answered.has(id));
}

/** What is declared of the event, with what the action changes. An acceptance repeats nothing of what was requested. */
const declarationOf = ({ actions }, action) =>
  Object.assign({}, ...actions.filter(({ status }) => status !== 'Rejected').map(fieldsOf), fieldsOf(action));

const fieldsOf = ({ declaration }) => declaration ?? {};
