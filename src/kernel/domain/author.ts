export const USER_TYPES = ['user', 'system'] as const;

export type UserType = (typeof USER_TYPES)[number];

export const isUserType = (value: unknown): value is UserType => USER_TYPES.includes(value as UserType);

/** People and system clients have separate ids, even where these are equal. */
export interface Author {
  readonly createdBy: string;
  readonly createdByUserType: UserType | null;
}

export const ASSUMED_USER_TYPE: UserType = 'user';

export interface Somebody {
  readonly subject: string;
  readonly userType: UserType;
}

export const isBy = ({ createdBy, createdByUserType }: Author, { subject, userType }: Somebody): boolean =>
  createdBy === subject && (createdByUserType ?? ASSUMED_USER_TYPE) === userType;
