/** Places of the demonstration country. */
const [FACILITY, DISTRICT] = ['1ba9f228-8538-49cb-878b-f54df9bedf91', '3e19c8b9-9771-4686-b6b5-3206766ac628'];
/** From earlier answers. */
const [EVENT, ACTION, VERSION] = [
  '0f6a9d0c-2b6e-4c1e-9a55-6d1c9b1f7a01',
  '0f6a9d0c-2b6e-4c1e-9a55-6d1c9b1f7a02',
  '0f6a9d0c-2b6e-4c1e-9a55-6d1c9b1f7a03',
];
const transaction = { transactionId: '7f9c1e9e-4a39-4a2b-8a5c-2f1f6f0a1101' };
const client = { client_id: '3b6a2c1e-7f41-4a57-9d0c-2f8f1f6f0a11' };
const credentials = { ...client, client_secret: '9e1f6a54-0c2b-4a3e-8f57-6f1a2b3c4d5e' };
const nonce = 'b0x2JQmV5cTqkS7wX9aZdw';
const token = 'eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
const declaration = { 'child.name': { firstname: 'Amina', surname: 'Musonda' }, 'child.dob': '2026-02-03' };
const because = { ...transaction, content: { reason: 'The informant gave another date of birth' } };
const period = { since: '2026-02-01T00:00:00Z', until: '2026-02-02T00:00:00Z' };
const query = { clauses: [{ eventType: 'birth', data: { 'child.name': { type: 'fuzzy', term: 'Musonda' } } }] };
const search = { query, limit: 20, sort: [{ field: 'createdAt', direction: 'desc' }] };
const update = { name: 'Chipata Health Centre', status: 'active', lastVersionId: VERSION };
const confirmation = { ...transaction, eventId: EVENT };
const done = { createdAt: '2026-02-10T09:00:00.000Z', createdBy: 'registrar' };

const record = {
  ...{ id: EVENT, type: 'birth', status: 'DECLARED', trackingId: 'EXMPL1' },
  legalStatuses: {
    DECLARED: { ...done, createdAtLocation: FACILITY, createdByUserType: 'user', acceptedAt: done.createdAt },
    REGISTERED: null,
  },
  ...{ ...done, createdByUserType: 'user', createdAtLocation: FACILITY, dateOfEvent: '2026-02-03', placeOfEvent: null },
  ...{ updatedAt: done.createdAt, updatedBy: 'registrar', updatedByUserRole: null, updatedAtLocation: FACILITY },
  ...{ assignedTo: null, potentialDuplicates: [], flags: [], declaration },
};

const registered = {
  ...{ id: EVENT, type: 'birth', trackingId: 'EXMPL1', createdAt: done.createdAt, updatedAt: done.createdAt },
  actions: ['CREATE', 'DECLARE', 'REGISTER'].map((type, at) => ({
    ...{ id: `0f6a9d0c-2b6e-4c1e-9a55-6d1c9b1f7b0${at}`, transactionId: `example-${at}`, type, status: 'Accepted' },
    ...{ ...done, createdByUserType: 'user', declaration: type === 'DECLARE' ? declaration : {} },
    ...(type === 'REGISTER' && { registrationNumber: 'B2026EXMPL1' }),
  })),
};

/** Accepted bodies by operation (G-9), except secrets, earlier ids and tokens, and used transactions. */
export const REQUEST_EXAMPLES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['auth-token', { grant_type: 'client_credentials', ...credentials }],
  ['auth-authenticateSystemClient', credentials],
  ['auth-authenticate', { username: 'registrar', password: 'correct horse battery' }],
  ['auth-verifyCode', { nonce, code: '000000' }],
  ['auth-resendAuthenticationCode', { nonce, notificationEvent: '2FA' }],
  ['auth-authenticate-super-user', { password: 'correct horse battery' }],
  ['auth-refreshToken', { token }],
  ['auth-invalidateToken', { token }],
  ['auth-verifyToken', { token }],
  ['auth-revoke', { token, ...credentials }],
  ['auth-introspect', { token, ...credentials }],
  ['auth-verifyUser', { mobile: '+260970000000', retrieveFlow: 'password' }],
  ['auth-verifyRecoveryToken', { token: nonce }],
  ['auth-verifySecurityAnswer', { nonce, answer: 'Chipata' }],
  ['auth-changePassword', { nonce, newPassword: 'correct horse battery' }],
  ['auth-sendUserName', { nonce }],
  ['systemClient-register', { scope: 'HEALTH', name: 'Chipata hospital' }],
  ['systemClient-deactivate', client],
  ['systemClient-reactivate', client],
  ['systemClient-rotateShaSecret', client],
  ['systemClient-setWebhookFormat', { ...client, format: 'standard' }],
  ['integrations-create', { name: 'National ID', scopes: ['type=record.search&event=birth'] }],
  [
    'integrations-setKeys',
    {
      keys: [
        {
          ...{ kty: 'EC', crv: 'P-256', x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4' },
          y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
        },
      ],
    },
  ],
  ['locations-create', { name: 'Chipata Health Centre', administrativeAreaId: null, locationType: 'HEALTH_FACILITY' }],
  ['locations-updateById', { id: FACILITY, ...update }],
  ['locations-update', update],
  ['administrativeAreas-create', { name: 'Chipata', parentId: null }],
  ['administrativeAreas-updateById', { id: DISTRICT, ...update }],
  ['administrativeAreas-update', update],
  [
    'users-create',
    {
      ...{ username: 'amina.banda', name: { firstname: 'Amina', surname: 'Banda' }, role: 'LOCAL_REGISTRAR' },
      ...{ primaryOfficeId: FACILITY, email: 'amina.banda@example.org' },
    },
  ],
  ['users-update', { mobile: '+260970000001' }],
  [
    'webhook-subscribe',
    {
      hub: {
        ...{ callback: 'https://subscriber.example.org/notifications', mode: 'subscribe', topic: 'BIRTH_REGISTERED' },
        secret: '058c6a0a-6194-4396-b966-4900ddaa2d4e',
      },
    },
  ],
  ['webhook-replay', period],
  ['confirmation-replay', period],
  ['reindex-start', { waitForCompletion: false }],
  ['event-bulkImport', `${JSON.stringify(record)}\n`],
  ['attachments-upload', { ...transaction, file: 'the bytes of a JPEG, PNG, WebP or PDF' }],
  ['attachments-uploadAsText', { ...transaction, file: 'the bytes of a JPEG, PNG, WebP or PDF' }],
  ['trpc-mutate', { json: search }],
  ['event-search', search],
  ['event-countSearches', { queries: [{ query: { clauses: [{ status: { type: 'exact', term: 'DECLARED' } }] } }] }],
  ['event-explainSearch', search],
  ['event-trigger', registered],
  ['event-create', { ...transaction, type: 'birth', createdAtLocation: FACILITY }],
  ['event-createAndNotify', { ...transaction, eventType: 'birth', createdAtLocation: FACILITY, declaration }],
  ['event-notifications', { ...transaction, eventId: EVENT, createdAtLocation: FACILITY, declaration }],
  ['event-notify', { ...transaction, createdAtLocation: FACILITY, declaration }],
  ['event-requestCorrection', { ...transaction, declaration: { 'child.dob': '2026-02-04' } }],
  ['event-approveCorrection', { ...transaction, requestId: ACTION }],
  ['event-rejectCorrection', { ...because, requestId: ACTION }],
  ['event-actions-accept', confirmation],
  ['event-acceptByType', confirmation],
  ['event-actions-rejectRequest', { ...because, ...confirmation }],
  ['event-rejectByType', { ...because, ...confirmation }],
  ['event-actions-declare', { ...transaction, declaration }],
  ['event-actions-edit', { ...transaction, content: { comment: 'The date of birth is wrong' } }],
  ['event-actions-register', transaction],
  ['event-actions-reject', because],
  ['event-actions-archive', because],
  ['event-actions-unarchive', because],
  ['event-actions-printCertificate', { ...transaction, content: { templateId: 'birth-certificate' } }],
  ['event-actions-markAsDuplicate', { ...transaction, content: { duplicateOf: ACTION } }],
  ['event-actions-markAsNotDuplicate', transaction],
  ['event-actions-revokeRegistration', because],
  ['event-actions-reinstateRegistration', because],
  ['event-actions-deactivateRegistration', because],
  ['event-actions-reactivateRegistration', because],
  ['event-actions-assign', transaction],
  ['event-actions-unassign', { ...transaction, assignedTo: null }],
  ['event-actions-custom', transaction],
]);
