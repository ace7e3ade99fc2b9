import type { UserType } from './user-type.js';

/** Who has done something: the ids of people and of system clients are different ones even where they are equal. */
export interface Author {
  readonly createdBy: string;
  readonly createdByUserType: UserType | null;
}

/** The kind of an author of whom no kind is stored. */
export const ASSUMED_USER_TYPE: UserType = 'user';

/** Somebody who may be one: a client whose id is that of a person has not done what the person did. */
export interface Somebody {
  readonly subject: string;
  readonly userType: UserType;
}

/** Whether the author is this person, or this client. */
export const isBy = ({ createdBy, createdByUserType }: Author, { subject, userType }: Somebody): boolean =>
  createdBy === subject && (createdByUserType ?? ASSUMED_USER_TYPE) === userType;
