export const USER_TYPES = ['user', 'system'] as const;

export type UserType = (typeof USER_TYPES)[number];

export const isUserType = (value: unknown): value is UserType => USER_TYPES.includes(value as UserType);
