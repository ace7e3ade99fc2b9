import { readDto } from '../../src/platform/dto/read-dto.js';
import { CLI } from '../../src/platform/audit/audit-entry.js';
import { LoginSteps } from '../../src/auth/sessions/login-steps.js';
import { NewUserDto } from '../../src/auth/user-administration/new-user.dto.js';
import { SessionFamilies } from '../../src/auth/sessions/session-families.js';
import { UserChanges } from '../../src/auth/user-administration/user-changes.js';
import { Users } from '../../src/auth/users/users.js';
import { aUuid } from '../support/builders/a-uuid.js';
import {
  OFFICE,
  PASSWORD,
  type Recovering,
  startRecovering,
  tokenOf,
  WRONG_NONCE,
  WRONG_TOKEN,
} from '../support/recovering.js';

let here: Recovering;
beforeAll(async () => {
  here = await startRecovering();
});
afterAll(() => here.close());
beforeEach(() => {
  here.sent.length = 0;
});

describe('a user without a password', () => {
  it('is sent a link when created, and becomes active with a password and questions of his own', async () => {
    here.fromElsewhere();
    const registration = here.service.app.get(UserChanges, { strict: false });
    const name = { firstname: 'Ben', surname: 'Phiri' };
    const body = { username: 'new', name, role: 'LOCAL_REGISTRAR', primaryOfficeId: OFFICE, email: 'new@example.org' };
    const user = await registration.register(await readDto(NewUserDto, body), CLI);

    expect([user.status, here.sent[0]?.event, here.sent.length]).toEqual(['pending', 'user-created', 1]);
    expect(here.sent[0]?.body).toMatchObject({ username: user.username, recipient: { email: 'new@example.org' } });
    const [, begun] = await here.outcome('verifyRecoveryToken', { token: tokenOf(here.sent[0]) });
    expect(begun).toMatchObject({ securityQuestionKey: null, retrieveFlow: 'password' });
    const { nonce } = begun as { readonly nonce: string };
    const securityQuestions = [{ questionKey: 'MOTHER_NAME', answer: 'Mary  Banda' }];
    expect(
      await here.outcome('changePassword', { nonce, newPassword: 'my first password', securityQuestions }),
    ).toEqual([200, '']);
    const [status] = await here.outcome('authenticate', { username: user.username, password: 'my first password' });
    const changed = await here.service.app.get(Users, { strict: false }).findStored(user.id);
    expect([status, changed?.status, changed?.securityQuestions.map(({ key }) => key)]).toEqual([
      200,
      'active',
      ['MOTHER_NAME'],
    ]);
    const recovering = await here.aNonce({ email: 'new@example.org' });
    expect(await here.outcome('verifySecurityAnswer', { nonce: recovering, answer: 'mary banda' })).toMatchObject([
      200,
      { matched: true },
    ]);
  });
});

describe('a password that an administrator takes', () => {
  it('ends at once with the questions, sessions and earlier links; the new link asks nothing', async () => {
    const user = await here.aUser();
    const earlier = await here.aToken(user);
    const step = await here.service.app
      .get(LoginSteps, { strict: false })
      .begin(here.database.database, { flow: 'password', userId: user.id, passed: true });
    const { refreshToken } = await here.service.app.get(SessionFamilies, { strict: false }).begin({ userId: user.id });
    const after = await here.service.app.get(UserChanges, { strict: false }).resetPassword(user.id, CLI);
    expect([after.status, await here.passwordOf(user), here.sent.at(-1)?.event]).toEqual([
      'active',
      null,
      'password-reset-link',
    ]);
    expect([
      await here.outcome('verifyRecoveryToken', { token: earlier }),
      await here.outcome('changePassword', { nonce: step, newPassword: 'another password' }),
      (await here.outcome('refreshToken', { token: refreshToken }))[0],
      (await here.outcome('authenticate', { username: user.username, password: PASSWORD }))[0],
    ]).toEqual([WRONG_TOKEN, WRONG_NONCE, 401, 401]);
    const [, begun] = await here.outcome('verifyRecoveryToken', { token: tokenOf(here.sent.at(-1)) });
    expect(begun).toMatchObject({ securityQuestionKey: null });
  });

  it('is that of an active or pending user', async () => {
    const user = await here.aUser();
    const resets = here.service.app.get(UserChanges, { strict: false });
    await here.service.app.get(UserChanges, { strict: false }).setStatus(user.id, 'deactivated', CLI);
    await expect(resets.resetPassword(user.id, CLI)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(resets.resetPassword(aUuid(), CLI)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await here.passwordOf(user)).toBe(here.passwordHash);
  });
});
