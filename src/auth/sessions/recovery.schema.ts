import { closedObject } from '../../platform/openapi/closed-object.js';
import { text } from '../../platform/openapi/value-schemas.js';

const NONCE = { ...text, description: 'Stands for this recovery in the requests that follow' };
const FLOW = { type: 'string', enum: ['password', 'username'] };

export const BEGUN_RECOVERY_SCHEMA = closedObject({
  nonce: NONCE,
  securityQuestionKey: {
    type: 'string',
    nullable: true,
    description: 'To be answered next; null: there is nothing to be',
  },
  retrieveFlow: FLOW,
});

export const ANSWERED_QUESTION_SCHEMA = closedObject(
  {
    matched: { type: 'boolean' },
    nonce: NONCE,
    securityQuestionKey: { ...text, description: 'To be answered next, after a wrong answer' },
  },
  { required: ['matched', 'nonce'] },
);
