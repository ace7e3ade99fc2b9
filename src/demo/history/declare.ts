import type { DeclarationChange } from '../../domain/record/event-action.js';
import { drawFile } from '../people/file.js';
import { type Case, type Outcome, waitInQueue } from './case.js';

const ABANDONED_DRAFTS = 0.008;
const DRAFT_BACKLOG = 0.6;
const NOTIFICATION_BACKLOG = 0.8;
const NEVER_FOLLOWED_UP = 0.03;

const COMMENTS = [
  'Parents interviewed at the post',
  'Documents seen',
  'Completed by phone',
  'Complété au bureau',
  'नाम जाँचिएको',
];
const REASONS_TO_ARCHIVE = ['Informant could not be found', 'Notified twice by the facility', 'Entered by mistake'];

/** From the first entry until the event is declared, by way of a notification where somebody else knew of it first. */
export function declare(one: Case): Outcome {
  switch (one.vital.channel) {
    case 'facility':
    case 'field':
      return declareAfterNotification(one);
    case 'office':
    case 'registry':
      return declareAtOnce(one);
  }
}

function declareAfterNotification(one: Case): Outcome {
  const { log, prng, vital, agent } = one;
  const { ward, notified, declared } = vital;
  if (vital.channel === 'facility') {
    log.take(ward.facilitySystem, { type: 'CREATE' });
    log.complete(ward.facilitySystem, { type: 'NOTIFY' }, { declaration: notified });
  } else {
    const notifier = prng.pick(ward.fieldNotifiers);
    log.take(notifier, { type: 'CREATE' });
    log.assigned(notifier, () => log.complete(notifier, { type: 'NOTIFY' }, { declaration: notified }));
  }

  if (prng.chance(NEVER_FOLLOWED_UP)) {
    log.daysPass(90, 300);
    log.complete(agent, { type: 'ARCHIVE', content: { reason: prng.pick(REASONS_TO_ARCHIVE) } });
    return 'rests';
  }
  waitInQueue(one, NOTIFICATION_BACKLOG);
  log.assigned(agent, () => {
    log.complete(agent, { type: 'EDIT', content: { comment: prng.pick(COMMENTS) } }, { declaration: declared });
    log.complete(agent, { type: 'DECLARE' }, { annotation: drawReview(one) });
  });
  return 'goes on';
}

function declareAtOnce(one: Case): Outcome {
  const { log, prng, vital, agent, registrar } = one;
  const declarer = vital.channel === 'registry' ? registrar : agent;
  log.take(declarer, { type: 'CREATE' });
  if (prng.chance(ABANDONED_DRAFTS)) return 'rests';
  // A paper is missing, and the informant comes back with it.
  if (prng.chance(0.1)) waitInQueue(one, DRAFT_BACKLOG);
  log.assigned(declarer, () => {
    log.complete(declarer, { type: 'DECLARE' }, { declaration: vital.declared, annotation: drawReview(one) });
  });
  return 'goes on';
}

function drawReview({ prng }: Case): DeclarationChange {
  const signed = { 'review.signature': drawFile(prng, 'signatures') };
  return prng.chance(0.3) ? { ...signed, 'review.comment': prng.pick(COMMENTS) } : signed;
}
