import { ACTION_STATUSES, ACTION_TYPES } from '../event-action.js';
import { topicOfChange, TOPICS } from './topic.js';

describe('topicOfChange', () => {
  it.each([
    ['birth', 'REGISTER', 'BIRTH_REGISTERED'],
    ['birth', 'PRINT_CERTIFICATE', 'BIRTH_CERTIFIED'],
    ['birth', 'APPROVE_CORRECTION', 'BIRTH_CORRECTED'],
    ['death', 'REGISTER', 'DEATH_REGISTERED'],
    ['death', 'PRINT_CERTIFICATE', 'DEATH_CERTIFIED'],
    ['death', 'APPROVE_CORRECTION', 'DEATH_CORRECTED'],
  ] as const)('publishes an accepted %s %s as %s', (eventType, action, topic) => {
    expect(topicOfChange({ eventType, action, status: 'Accepted' })).toBe(topic);
  });

  it('publishes nothing else', () => {
    const published = ['birth', 'death', 'marriage', 'BIRTH', ''].flatMap((eventType) =>
      ACTION_TYPES.flatMap((action) =>
        ACTION_STATUSES.map((status) => topicOfChange({ eventType, action, status })).filter(
          (topic) => topic !== undefined,
        ),
      ),
    );
    expect(published.sort()).toEqual([...TOPICS].sort());
  });
});
