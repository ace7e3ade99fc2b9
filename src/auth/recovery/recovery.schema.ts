const text = { type: 'string' } as const;
const NONCE = { ...text, description: 'Stands for this recovery in the requests that follow' };
const FLOW = { type: 'string', enum: ['password', 'username'] };

/** Answer of `POST /verifyRecoveryToken`. */
export const BEGUN_RECOVERY_SCHEMA = {
  type: 'object',
  properties: {
    nonce: NONCE,
    securityQuestionKey: {
      type: 'string',
      nullable: true,
      description: 'To be answered next; null: there is nothing to be',
    },
    retrieveFlow: FLOW,
  },
  required: ['nonce', 'securityQuestionKey', 'retrieveFlow'],
  additionalProperties: false,
};

/** Answer of `POST /verifySecurityAnswer`. */
export const ANSWERED_QUESTION_SCHEMA = {
  type: 'object',
  properties: {
    matched: { type: 'boolean' },
    nonce: NONCE,
    securityQuestionKey: { ...text, description: 'To be answered next, after a wrong answer' },
  },
  required: ['matched', 'nonce'],
  additionalProperties: false,
};
