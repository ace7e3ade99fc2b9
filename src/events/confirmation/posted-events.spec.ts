import { aUuid } from '../../../test/support/builders/a-uuid.js';
import { triggerUrl } from '../../auth/tokens/country-configuration.js';
import { postedActions } from './confirmations.js';

const action = (n: number, status: 'Requested' | 'Accepted', original?: number) => ({
  ...{ id: aUuid(n), status },
  ...(original === undefined ? {} : { originalActionId: aUuid(original) }),
});

describe('what is posted of an event', () => {
  const created = action(1, 'Accepted');
  const first = action(2, 'Requested');
  const second = action(3, 'Requested');
  const accepted = action(4, 'Accepted', 2);

  it('is everything but later requests that wait themselves', () => {
    expect(postedActions([created, first, second], first.id)).toEqual([created, first]);
    expect(postedActions([created, first, second], second.id)).toEqual([created, first, second]);
    expect(postedActions([created, first, second, accepted], second.id)).toEqual([created, first, second, accepted]);
  });

  it('is nothing once the request is answered or gone', () => {
    expect(postedActions([created, first, accepted], first.id)).toBeUndefined();
    expect(postedActions([created], first.id)).toBeUndefined();
    expect(postedActions([created], created.id)).toBeUndefined();
  });
});

describe('the address of a trigger (E-15)', () => {
  it('follows that of the country configuration, and holds a type of event as one segment', () => {
    expect(triggerUrl('https://country.example/base/?a=1#b', ['events', 'a/../b?c', 'actions', 'CUSTOM']).href).toBe(
      'https://country.example/base/trigger/events/a%2F..%2Fb%3Fc/actions/CUSTOM',
    );
    expect(triggerUrl('http://country:3040', ['events', 'birth', 'actions', 'REGISTER']).href).toBe(
      'http://country:3040/trigger/events/birth/actions/REGISTER',
    );
    expect(() => triggerUrl('http://country', ['user', '..'])).toThrow('no address has the segment ..');
  });
});
