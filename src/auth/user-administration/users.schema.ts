import { closedObject } from '../../platform/openapi/closed-object.js';
import { dateTime, text, uuid } from '../../platform/openapi/value-schemas.js';
import { EMAIL, MOBILE } from '../users/user-members.js';
import { USER_STATUSES } from '../users/user-view.js';

export const USER_SCHEMA = closedObject({
  id: { ...uuid, description: '`sub` of the user’s tokens' },
  username: text,
  name: { ...closedObject({ firstname: text, surname: text }), description: 'A part that they do not have is empty' },
  role: { ...text, description: 'The id of a role' },
  primaryOfficeId: uuid,
  status: {
    type: 'string',
    enum: [...USER_STATUSES],
    description: 'pending: no password has been set yet; only active users get in',
  },
  email: { ...EMAIL, type: ['string', 'null'] },
  mobile: { ...MOBILE, type: ['string', 'null'] },
  createdAt: dateTime,
  updatedAt: dateTime,
});
export const USERS_SCHEMA = closedObject({
  results: { type: 'array', items: USER_SCHEMA },
  total: { type: 'integer', description: 'How many match' },
});
