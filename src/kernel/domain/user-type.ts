/** Who acts: a person, or a system client. */
export const USER_TYPES = ['user', 'system'] as const;

/** Whether an action was taken by a person or by a system client. */
export type UserType = (typeof USER_TYPES)[number];

/** Whether it is one of `USER_TYPES`. */
export const isUserType = (value: unknown): value is UserType => USER_TYPES.includes(value as UserType);
